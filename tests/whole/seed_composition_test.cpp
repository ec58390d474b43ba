#include "cordon_fixture.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

using cordon::testing::CordonFixture;
using cordon::testing::ProgramOptions;
using cordon::testing::ProgramResult;
using cordon::testing::read_file;

namespace {

/// The composition that the seeds' READMEs print, with a family's name prefix.
std::string seed_composition(const std::string& prefix) {
    return fmt::format(
        R"(- id: sandbox
  name: '{0}sandbox-local'     # the per-platform backend provider (ctx.sandbox)
- id: sandbox-policy
  name: '{0}sandbox-policy'    # the deployment default mode and workspace-write root
  config:
    mode: workspace-write                    # the deployment default every session starts from
    workspaceRoot: !!js process.cwd()        # the boundary workspace-write may write under
- id: bash
  name: '{0}bash-sandbox'      # the confined executor behind ctx.shell
)",
        prefix
    );
}

}  // namespace

TEST_SUITE("the composition printed in the seeds") {
    TEST_CASE_FIXTURE(CordonFixture, "runs verbatim under the names of each family") {
        CORDON_REQUIRE_CONFINEMENT();
        for (const char* prefix : {"@qilin-agent/", "@deepseek-ai/dsh-", "@hasna-internal/kai-"}) {
            CAPTURE(prefix);
            const auto file = folder().write("seed/cordis.yml", seed_composition(prefix));
            const ProgramResult inside =
                cordon({"--config", file, "run", "--", "echo hi > f; cat f"});
            CHECK(inside.status == 0);
            CHECK(inside.out == "hi\n");
            CHECK(inside.err == "");
            CHECK(read_file(workspace() / "f") == "hi\n");

            const ProgramResult beside =
                cordon({"--config", file, "run", "--", "echo x > " + (outside() / "f").string()});
            CHECK(beside.status != 0);
            CHECK(
                beside.err.find("[sandbox: file access denied under workspace-write mode]") !=
                std::string::npos
            );
            CHECK(std::filesystem::is_empty(outside()));
        }
    }

    TEST_CASE_FIXTURE(CordonFixture, "the workspace root is where Cordon was started") {
        CORDON_REQUIRE_CONFINEMENT();
        const auto file = folder().write("seed/cordis.yml", seed_composition("@qilin-agent/"));
        ProgramOptions options;
        options.cwd = outside();
        const ProgramResult result =
            cordon({"--config", file, "run", "--", "echo x > f; pwd"}, options);
        CHECK(result.out == outside().string() + "\n");
        CHECK(std::filesystem::exists(outside() / "f"));
    }
}
