#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <sandbox-local/runner_backend.hpp>

using cordon::ConfinedArgv;
using cordon::ConfinedSandboxMode;
using cordon::SandboxEnforcement;
using cordon::sandbox_local::ConfinementRequest;
using cordon::sandbox_local::RunnerBackend;
using Words = std::vector<std::string>;

TEST_SUITE("a runnerCommand") {
    TEST_CASE("gets the seed's profile, and its own failure dialect (LP-5, LP-25, LP-26)") {
        const RunnerBackend backend{{"my-run", "-x"}, {"my-run: "}};
        const ConfinedArgv read_only =
            backend.wrap({ConfinedSandboxMode::read_only, "/ws"}, {"sh", "-c", "true"});
        const Words common{
            "my-run",
            "-x",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--unshare-pid",
            "--proc",
            "/proc",
            "--die-with-parent"};
        Words expected = common;
        expected.insert(expected.end(), {"--", "sh", "-c", "true"});
        CHECK(read_only.argv == expected);
        CHECK(read_only.enforcement == SandboxEnforcement::full);
        CHECK(read_only.denial_signatures == Words{"read-only file system", "permission denied"});
        REQUIRE(read_only.runner_failure_rules.size() == 1);
        CHECK(read_only.runner_failure_rules[0].fatal_signatures == Words{"my-run: "});
        CHECK_FALSE(read_only.runner_failure_rules[0].allowed_exit_codes);
        CHECK_FALSE(read_only.prepared);

        const ConfinedArgv writing =
            backend.wrap({ConfinedSandboxMode::workspace_write, "/ws"}, {"true"});
        expected = common;
        expected.insert(expected.end(), {"--tmpfs", "/tmp", "--bind", "/ws", "/ws", "--", "true"});
        CHECK(writing.argv == expected);
    }
}
