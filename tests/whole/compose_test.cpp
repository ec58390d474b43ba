#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <string>

using cordon::testing::CordonFixture;
using cordon::testing::fixture_plugins;
using cordon::testing::ProgramResult;

TEST_SUITE("cordon compose") {
    TEST_CASE_FIXTURE(
        CordonFixture, "prints one loadable document that keeps the text of expressions"
    ) {
        const auto patch = folder().write(
            "my.patch.yml",
            "- id: sandbox-policy\n"
            "  config:\n"
            "    mode: read-only\n"
            "    workspaceRoot: !!js process.env.MY_ROOT ?? process.cwd()\n"
        );
        const ProgramResult printed = cordon({"compose", "--patch", patch});
        CHECK(printed.status == 0);
        CHECK(printed.err == "");
        CHECK(printed.out.find("# == base") != std::string::npos);
        CHECK(printed.out.find("patched by " + patch.string()) != std::string::npos);
        CHECK(
            printed.out.find("workspaceRoot: !!js process.env.MY_ROOT ?? process.cwd()") !=
            std::string::npos
        );

        const auto again = folder().write("again.yml", printed.out);
        const ProgramResult reloaded = cordon({"compose", "--json", "--config", again});
        const ProgramResult direct = cordon({"compose", "--json", "--patch", patch});
        CHECK(reloaded.status == 0);
        CHECK(reloaded.out == direct.out);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a patch that matches nothing is a warning with its place (PAT-7)"
    ) {
        const auto patch = folder().write("my.patch.yml", "- id: sandbx\n  disabled: true\n");
        const ProgramResult result = cordon({"compose", "--patch", patch});
        CHECK(result.status == 0);
        CHECK(result.err.find(patch.string() + ":1:") != std::string::npos);
        CHECK(result.err.find("patch: entry \"sandbx\" not found") != std::string::npos);
        const ProgramResult as_json = cordon({"compose", "--json", "--patch", patch});
        CHECK(as_json.out.find(R"(patch: entry \"sandbx\" not found)") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a malformed file is told with line and column, and nothing is printed"
    ) {
        const auto patch = folder().write("bad.yml", "- id: a\n  config:\n    x: 1\n    x: 2\n");
        const ProgramResult result = cordon({"compose", "--patch", patch});
        CHECK(result.status == 1);
        CHECK(result.out == "");
        CHECK(result.err.find(patch.string() + ":4:5") != std::string::npos);
        CHECK(result.err.find("'x'") != std::string::npos);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a named file that is missing is an error (field-120)") {
        for (const char* option : {"--patch", "--config", "--bundle"}) {
            CAPTURE(option);
            const std::string missing = folder().path() / "missing.yml";
            const ProgramResult result = cordon({"compose", option, missing});
            CHECK(result.status == 1);
            CHECK(result.err.find(missing) != std::string::npos);
        }
    }
}

TEST_SUITE("swapping a backend by a patch") {
    TEST_CASE_FIXTURE(
        CordonFixture, "the same composition runs over the other plugin, without a rebuild"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const auto swap = folder().write(
            "swap.patch.yml",
            "- id: sandbox\n  disabled: true\n- insert:\n    - id: other\n      name: "
            "sandbox-none\n"
        );
        const ProgramResult before = run("echo same", {"--json"});
        const ProgramResult after =
            run("echo same", {"--json", "--patch", swap, "--plugin-path", fixture_plugins()});
        CHECK(before.out.find("\"backend\":\"native\"") != std::string::npos);
        CHECK(after.status == 0);
        CHECK(after.out.find("\"backend\":\"none\"") != std::string::npos);
        CHECK(after.out.find("\"enforcement\":\"partial\"") != std::string::npos);
        CHECK(after.out.find("\"text\":\"same\\n\"") != std::string::npos);
    }
}
