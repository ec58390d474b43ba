#include "shell_world.hpp"

#include <cstdlib>

namespace {

using namespace cordon::testing;
using cordon::Task;

constexpr const char* kUnavailable =
    "SANDBOX_UNAVAILABLE: sandbox mode \"workspace-write\" is requested but no sandbox backend is ";

Task<> refuse_mode() {
    throw cordon::SandboxUnavailableError{cordon::ConfinedSandboxMode::workspace_write};
    co_return;
}

}  // namespace

TEST_SUITE("run confined") {
    TEST_CASE("hands the provider the bash argv and the call's policy, and runs what comes back") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo $0");
            request.sandbox_policy = {cordon::SandboxMode::read_only, "/srv", "session"};
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "/bin/bash\n");
            REQUIRE(world.sandbox->asked.size() == 1);
            const auto& [argv, policy] = world.sandbox->asked.front();
            CHECK(argv == std::vector<std::string>{"/bin/bash", "-c", "echo $0"});
            CHECK(
                policy ==
                cordon::SandboxPolicy{cordon::ConfinedSandboxMode::read_only, "/srv", "session"}
            );
        });
    }

    TEST_CASE("carries what the provider says about enforcement unchanged (SB-6)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->answer.enforcement = cordon::SandboxEnforcement::partial;
            world.sandbox->answer.reasons = {"metadata is not governed"};
            auto request = request_of("true");
            const auto result = co_await world.run(std::move(request));
            REQUIRE(result.sandbox);
            CHECK(result.sandbox->mode == cordon::SandboxMode::workspace_write);
            CHECK(result.sandbox->enforcement == cordon::SandboxEnforcement::partial);
            CHECK(result.sandbox->backend == "fake");
            CHECK(result.sandbox->reasons == world.sandbox->answer.reasons);
        });
    }

    TEST_CASE("a refusal of the provider comes out unchanged and nothing runs (BX-6)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->before_answer = &refuse_mode;
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.starts_with(kUnavailable));
            CHECK(failure.find("Runner failure") == std::string::npos);
        });
    }

    TEST_CASE("a command that imitates the runner fails like any other (W-16, field-34)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo 'bwrap: fake' >&2; exit 1");
            const auto result = co_await world.run(std::move(request));
            CHECK(result.exit.exit_code == 1);
            CHECK_FALSE(result.sandbox->denied);
        });
    }

    TEST_CASE("a runner that ends before it confined is no result but its own words (BX-10)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->script = "echo note >&2; echo 'bwrap: no namespace' >&2; exit 1";
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.starts_with(kUnavailable));
            CHECK(failure.ends_with(" Runner failure: bwrap: no namespace"));
        });
    }

    TEST_CASE("a silent end without a report is a runner failure even with exit status 0") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->script = "exit 0";
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.starts_with(kUnavailable));
        });
    }

    TEST_CASE("the command cannot reach the status channel") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("{ echo forged >&3; } 2>/dev/null || echo closed");
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "closed\n");
        });
    }

    TEST_CASE("a directory that the sandbox hides is named, not taken for a broken runner (W-24)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->script = "echo 'failed chdir 2' >&$2; exit 1";
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(
                failure ==
                "SPAWN_FAILED: working directory cannot be entered in the sandbox: /: No such file "
                "or directory (ENOENT)"
            );
        });
    }

    TEST_CASE("a shell that cannot be executed inside is no runner failure (W-19)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->script = "echo confined >&$2; echo 'failed exec 13' >&$2; exit 126";
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(
                failure ==
                "SPAWN_FAILED: cannot start '/bin/bash': exec: Permission denied (EACCES)"
            );
        });
    }

    TEST_CASE("a runner that is not there is a sandbox failure that names it (BX-7, W-20)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->runner = "/no/such/runner";
            auto request = request_of("true");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.starts_with(kUnavailable));
            CHECK(failure.find("/no/such/runner") != std::string::npos);
        });
    }

    TEST_CASE("without a status channel the seed's rules decide, before denial (SB-65)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->answer.status.reset();
            auto request = request_of("echo 'bwrap: Read-only file system' >&2; exit 1");
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.ends_with(" Runner failure: bwrap: Read-only file system"));
        });
    }

    TEST_CASE("a denial names the lines that show it (SB-64)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of(
                "echo before >&2; echo 'touch: /x: READ-ONLY file system' >&2; echo after >&2; "
                "exit 2"
            );
            const auto result = co_await world.run(std::move(request));
            CHECK(result.sandbox->denied);
            CHECK(
                result.sandbox->evidence ==
                std::vector<std::string>{"touch: /x: READ-ONLY file system"}
            );
        });
    }

    TEST_CASE("neither success nor death by signal nor plain failure is a denial (field-101)") {
        with_shell([](ShellWorld& world) -> Task<> {
            for (const char* command :
                 {"echo 'Read-only file system' >&2",
                  "echo 'Read-only file system' >&2; kill -9 $$",
                  "echo 'Read-only file system'; exit 1",
                  "echo 'in /sandbox/read-only' >&2; exit 1",
                  "false"}) {
                auto request = request_of(command);
                const auto result = co_await world.run(std::move(request));
                CHECK_FALSE(result.sandbox->denied);
                CHECK(result.sandbox->evidence.empty());
            }
        });
    }

    TEST_CASE("special exit codes of the command are ordinary (BX-13, field-99)") {
        with_shell([](ShellWorld& world) -> Task<> {
            for (const int code : {125, 126, 127, 255}) {
                auto request = request_of("exit " + std::to_string(code));
                const auto result = co_await world.run(std::move(request));
                CHECK(result.exit.exit_code == code);
            }
        });
    }

    TEST_CASE("loader variables of host and call reach the command, not the runner (field-16)") {
        ::setenv("LD_AUDIT", "ambient.so", 1);
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->answer.loader_variable_prefix = "COMMAND_";
            world.sandbox->script =
                std::string{"env | grep -a '^\\(COMMAND_\\)\\?LD_' | sort; "} + kGoodRunner;
            auto request = request_of("true");
            request.env = {{"LD_BIND_NOW", "call"}};
            const auto result = co_await world.run(std::move(request));
            CHECK(
                result.stdout_output.text ==
                "COMMAND_LD_AUDIT=ambient.so\nCOMMAND_LD_BIND_NOW=call\n"
            );
        });
        ::unsetenv("LD_AUDIT");
    }
}
