#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using cordon::testing::CordonFixture;
using cordon::testing::ProgramOptions;
using cordon::testing::ProgramResult;
using cordon::testing::source_root;

TEST_SUITE("the deployments in config") {
    TEST_CASE_FIXTURE(CordonFixture, "each of them starts and runs a command") {
        CORDON_REQUIRE_CONFINEMENT();
        int started = 0;
        for (const auto& entry : std::filesystem::directory_iterator{source_root() / "config"}) {
            const std::string file = entry.path();
            if (!file.ends_with(".yml")) {
                continue;
            }
            CAPTURE(file);
            const char* option = file.ends_with(".patch.yml") ? "--patch" : "--config";
            const ProgramResult result = cordon({option, file, "run", "--", "echo ran"});
            CHECK(result.status == 0);
            CHECK(result.out == "ran\n");
            CHECK(result.err == "");
            ++started;
        }
        CHECK(started >= 2);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "the workspace of confined.cordis.yml comes from the environment"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const std::string file = source_root() / "config" / "confined.cordis.yml";
        ProgramOptions options;
        options.cwd = workspace();
        options.env["CORDON_WORKSPACE"] = outside().string();
        const std::string source = "echo x > " + (outside() / "f").string();
        CHECK(cordon({"--config", file, "run", "--", source}, options).status == 0);
        CHECK(std::filesystem::exists(outside() / "f"));
    }
}
