// What runners of other systems would be told. Pure, so it is tested here.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <sandbox-local/seatbelt_plan.hpp>
#include <sandbox-local/windows_acl_plan.hpp>

using cordon::ConfinedSandboxMode;
using namespace cordon::sandbox_local;
using Words = std::vector<std::string>;

namespace {

const std::string kReadOnlyProfile =
    "(version 1) (allow default) (deny file-write*) (allow file-write* (literal \"/dev/null\"))";

}  // namespace

TEST_SUITE("plan_seatbelt") {
    TEST_CASE("read-only allows the sink and nothing else, whatever the roots (LP-30)") {
        CHECK(
            plan_seatbelt(ConfinedSandboxMode::read_only, {"/ws"}, {"sh", "-c", "true"}) ==
            Words{"/usr/bin/sandbox-exec", "-p", kReadOnlyProfile, "--", "sh", "-c", "true"}
        );
    }

    TEST_CASE("workspace-write names roots as parameters, so no name can change the profile") {
        const std::string odd = "/a\") (allow file-write*) (\\";
        CHECK(
            plan_seatbelt(ConfinedSandboxMode::workspace_write, {"/ws", odd}, {"true"}) ==
            Words{
                "/usr/bin/sandbox-exec",
                "-D",
                "ROOT0=/ws",
                "-D",
                "ROOT1=" + odd,
                "-p",
                kReadOnlyProfile +
                    " (allow file-write* (subpath (param \"ROOT0\")) (subpath (param \"ROOT1\")))",
                "--",
                "true"}
        );
    }
}

TEST_SUITE("plan_windows_acl") {
    const Words kRunner{"node", "runner.js"};

    TEST_CASE("without a session, and in read-only, there are no capabilities (LP-41)") {
        AclCall call{ConfinedSandboxMode::workspace_write, "C:\\ws", "C:\\tmp", std::nullopt};
        const Words expected{
            "node",
            "runner.js",
            "--workspace",
            "C:\\ws",
            "--temp",
            "C:\\tmp",
            "--mode",
            "workspace-write",
            "--",
            "cmd"};
        CHECK(plan_windows_acl(kRunner, call, {"cmd"}) == expected);
        call.mode = ConfinedSandboxMode::read_only;
        call.grants = AclGrants{"S-1-4-1-2", "S-1-4-3-4-1"};
        const Words argv = plan_windows_acl(kRunner, call, {"cmd"});
        CHECK(argv[7] == "read-only");
        CHECK(argv[8] == "--");
    }

    TEST_CASE("a session's capabilities follow the mode (LP-42)") {
        const AclCall call{
            ConfinedSandboxMode::workspace_write,
            "C:\\ws",
            "C:\\tmp\\x",
            AclGrants{"S-1-4-1-2", "S-1-4-3-4-1"}};
        const Words argv = plan_windows_acl(kRunner, call, {"cmd"});
        CHECK(
            Words(argv.begin() + 8, argv.end()) ==
            Words{"--write-sid", "S-1-4-1-2", "--temp-write-sid", "S-1-4-3-4-1", "--", "cmd"}
        );
    }

    TEST_CASE("a temporary folder in the workspace is refused (LP-45)") {
        AclCall call{
            ConfinedSandboxMode::workspace_write,
            "C:\\Ws",
            "c:/ws/tmp",
            AclGrants{"S-1-4-1-2", "S-1-4-3-4-1"}};
        CHECK_THROWS_WITH(
            static_cast<void>(plan_windows_acl(kRunner, call, {"cmd"})),
            "Windows ACL temp root must be outside the workspace: workspace=C:\\Ws; temp=c:/ws/tmp"
        );
        call.temporary = "C:\\ws2";
        CHECK_NOTHROW(static_cast<void>(plan_windows_acl(kRunner, call, {"cmd"})));
    }
}
