// What a deployment adds to a workspace, with commands that really run. Native backend only.

#include "confined_run.hpp"

#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

namespace fs = std::filesystem;
using cordon::ConfinedSandboxMode;
using cordon::Object;
using cordon::SandboxEnforcement;
using cordon::Value;
using cordon::testing::Confined;
using cordon::testing::ConfinementFixture;
using cordon::testing::read_file;
using cordon::testing::TemporaryFolder;

namespace {

struct Deployment : ConfinementFixture {
    Deployment() : folder("/var/tmp") {
        root = cordon::canonical_path(folder.path());
        for (const char* name : {"ws", "ws/.git", "ws/.git/hooks", "more"}) {
            fs::create_directory(root + '/' + name);
        }
    }

    void deploy(Object settings) {
        settings.set("chain", Value::Array{"native"});
        configure(Value{std::move(settings)});
    }

    cordon::testing::ConfinedResult script(const std::string& text) {
        return shell(ConfinedSandboxMode::workspace_write, root + "/ws", text);
    }

    /// Why nothing can be confined here at all; empty where it can.
    std::string unusable() {
        const auto result = shell(ConfinedSandboxMode::read_only, "/", "true");
        return result.report.started() ? "" : result.errors;
    }

    TemporaryFolder folder;
    std::string root;
};

#define SKIP_WHERE_UNUSABLE()                        \
    if (const auto why = unusable(); !why.empty()) { \
        CORDON_SKIP_UNCONFINED(why.c_str());         \
    }

}  // namespace

TEST_SUITE("a command in a deployment of sandbox-local") {
    TEST_CASE_FIXTURE(Deployment, "writes under further roots and nowhere beside them") {
        deploy({{"writableRoots", Value::Array{Value{root + "/more"}}}});
        SKIP_WHERE_UNUSABLE();
        const auto result = script("echo a >../more/a; echo b >../b");
        CHECK(read_file(root + "/more/a") == "a\n");
        CHECK_FALSE(fs::exists(root + "/b"));
        CHECK(result.confined.enforcement == SandboxEnforcement::full);
    }

    TEST_CASE_FIXTURE(
        Deployment, "cannot write a read-only path, nor put another folder in place of one above it"
    ) {
        deploy({{"readOnlyPaths", Value::Array{".git/hooks"}}});
        SKIP_WHERE_UNUSABLE();
        const auto result = script(
            "echo ok >.git/index; echo x >.git/hooks/pre-commit; chmod 700 .git/hooks;"
            "rm -rf .git/hooks; mv .git/hooks .git/h; mv .git old;"
            "mkdir -p .git/hooks; echo x >.git/hooks/post-commit"
        );
        CHECK(read_file(root + "/ws/.git/index") == "ok\n");
        CHECK(fs::is_empty(root + "/ws/.git/hooks"));
        CHECK_FALSE(fs::exists(root + "/ws/old"));
        CHECK(result.confined.enforcement == SandboxEnforcement::full);
    }

    TEST_CASE_FIXTURE(Deployment, "is told where a path that is to be protected does not exist") {
        deploy({{"readOnlyPaths", Value::Array{"missing"}}});
        SKIP_WHERE_UNUSABLE();
        const auto result = script("true");
        CHECK(result.confined.enforcement == SandboxEnforcement::partial);
        REQUIRE(result.confined.reasons.size() == 1);
        CHECK(result.confined.reasons[0].find("read-only-missing: ") == 0);
    }

    TEST_CASE_FIXTURE(Deployment, "without network reaches nothing, and itself") {
        deploy({{"network", "none"}});
        SKIP_WHERE_UNUSABLE();
        const auto result = script("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '");
        CHECK(result.output == "lo\n");
    }

    TEST_CASE_FIXTURE(
        Deployment, "with containment of files sees processes and still writes nothing"
    ) {
        deploy({{"containment", "files"}});
        SKIP_WHERE_UNUSABLE();
        const auto result = script(fmt::format(
            "ls -d /proc/{}; echo x >../out; chmod 700 ..; kill -0 {}", ::getpid(), ::getpid()
        ));
        CHECK(result.output == fmt::format("/proc/{}\n", ::getpid()));
        CHECK_FALSE(fs::exists(root + "/out"));
        CHECK(result.confined.enforcement == SandboxEnforcement::full);
        CHECK(result.status.exit_code != 0);
    }

    TEST_CASE_FIXTURE(Deployment, "finds what the session left in tmp, and other sessions do not") {
        deploy({{"temporary", "session"}});
        SKIP_WHERE_UNUSABLE();
        Confined call;
        call.mode = ConfinedSandboxMode::workspace_write;
        call.workspace = call.cwd = root + "/ws";
        call.session_id = "one";
        call.argv = {"sh", "-c", "cat /tmp/left; echo left >/tmp/left; stat -c %a /tmp"};
        CHECK(run(call).output == "1777\n");
        CHECK(run(call).output == "left\n1777\n");
        call.session_id = "two";
        CHECK(run(call).output == "1777\n");
        call.session_id.reset();
        CHECK(run(call).output == "1777\n");
        CHECK_FALSE(fs::exists("/tmp/left"));
    }

    TEST_CASE_FIXTURE(Deployment, "in a linked worktree commits, and cannot plant a hook") {
        deploy({{"gitWorktrees", Value{true}}});
        SKIP_WHERE_UNUSABLE();
        const std::string git =
            "git -c user.name=n -c user.email=e -c safe.directory='*' -c init.defaultBranch=main ";
        fs::remove_all(root + "/ws");
        const std::string make = "cd " + root + " && " + git + "init -q repo && " + git +
                                 "-C repo commit -q --allow-empty -m first && " + git +
                                 "-C repo worktree add -q ../ws 2>/dev/null";
        if (std::system(make.c_str()) != 0) {  // NOLINT(concurrency-mt-unsafe)
            CORDON_SKIP("git is needed");
        }
        const auto result = script(
            "echo x >f && " + git + "add f && " + git +
            "commit -q -m second && git -c safe.directory='*' log --oneline | wc -l;"
            "echo x >../repo/.git/hooks/pre-commit; echo x >>../repo/.git/config; echo x >../repo/g"
        );
        CHECK(result.output == "2\n");
        CHECK_FALSE(fs::exists(root + "/repo/.git/hooks/pre-commit"));
        CHECK_FALSE(fs::exists(root + "/repo/g"));
        CHECK(read_file(root + "/repo/.git/config").find("x\n") == std::string::npos);
    }

    TEST_CASE_FIXTURE(Deployment, "has workspaces with any bytes in their names (field-57)") {
        deploy({});
        SKIP_WHERE_UNUSABLE();
        for (const char* name : {"a b", "n\nl", "q\"'", "\xff\xfe", "-x", "*", "\\040"}) {
            const std::string workspace = root + '/' + name;
            fs::create_directory(workspace);
            const auto result =
                shell(ConfinedSandboxMode::workspace_write, workspace, "echo x >f; echo y >../g");
            CHECK(read_file(workspace + "/f") == "x\n");
            CHECK_FALSE(fs::exists(root + "/g"));
        }
    }
}
