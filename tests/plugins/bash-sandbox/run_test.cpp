#include "shell_world.hpp"

#include <cstdlib>

namespace {

using namespace cordon::testing;
using cordon::Task;

cordon::SandboxExecutionPolicy full_access() {
    return {cordon::SandboxMode::danger_full_access, "/var/tmp", std::nullopt};
}

Task<> append_to(std::string* text, std::string_view bytes) {
    text->append(bytes);
    co_return;
}

}  // namespace

TEST_SUITE("run") {
    TEST_CASE("passes on output and exit code, neither as a timeout nor as an abort (SH-8)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo out; echo err >&2; exit 7");
            const auto result = co_await world.run(std::move(request));
            CHECK(result.exit == cordon::ExitStatus{7, std::nullopt});
            CHECK(result.stdout_output.text == "out\n");
            CHECK(result.stderr_output.text == "err\n");
            CHECK_FALSE(result.timed_out);
            CHECK_FALSE(result.aborted);
            CHECK(result.timeout == std::chrono::minutes{2});
        });
    }

    TEST_CASE("under full access the provider is never asked (BX-3)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo hi");
            request.sandbox_policy = full_access();
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "hi\n");
            CHECK(world.sandbox->asked.empty());
            REQUIRE(result.sandbox);
            CHECK(result.sandbox->mode == cordon::SandboxMode::danger_full_access);
            CHECK_FALSE(result.sandbox->denied);
            CHECK_FALSE(result.sandbox->enforcement);
        });
    }

    TEST_CASE("under full access text that looks like a denial is none (BX-3)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo 'x: Read-only file system' >&2; exit 1");
            request.sandbox_policy = full_access();
            const auto result = co_await world.run(std::move(request));
            CHECK_FALSE(result.sandbox->denied);
        });
    }

    TEST_CASE("a spec without a policy is refused, not run unconfined") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo ran");
            auto spec = co_await world.shell->resolve(std::move(request));
            spec.sandbox_policy.reset();
            std::string code;
            try {
                co_await world.shell->run(std::move(spec));
            } catch (const cordon::Error& error) {
                code = error.code();
            }
            CHECK(code == "INVALID_REQUEST");
        });
    }

    TEST_CASE("starts no login shell and reads no startup file of the host (field-87)") {
        ::setenv("BASH_ENV", "/no/such/file", 1);
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("shopt -q login_shell || echo plain; echo [$BASH_ENV]");
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "plain\n[]\n");
            CHECK(result.stderr_output.text.empty());
        });
        ::unsetenv("BASH_ENV");
    }

    TEST_CASE("turns colours and pagers off unless the request says otherwise (BL-13)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo $NO_COLOR $TERM $PAGER $GIT_PAGER");
            request.env = {{"TERM", "xterm"}, {"PAGER", std::nullopt}};
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "1 xterm cat\n");
        });
    }

    TEST_CASE("gives standard input, and the end of it where there is none (BL-12)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("cat");
            request.stdin_mode = cordon::InputBytes{"given"};
            auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "given");
            request = request_of("cat; echo end");
            result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "end\n");
        });
    }

    TEST_CASE("the request raises the cap of standard output only (BL-12)") {
        cordon::bash_sandbox::Config config;
        config.max_output_bytes = 3;
        with_shell(
            [](ShellWorld& world) -> Task<> {
                auto request = request_of("printf 123456; printf 123456 >&2");
                request.stdout_max_bytes = 5;
                const auto result = co_await world.run(std::move(request));
                CHECK(result.stdout_output.text == "23456");
                CHECK(result.stderr_output.text == "456");
                CHECK(result.stderr_output.truncated);
            },
            config
        );
    }

    TEST_CASE("passes all output to the sinks of the request as well") {
        with_shell([](ShellWorld& world) -> Task<> {
            std::string out;
            std::string err;
            auto request = request_of("printf 123456; printf abc >&2");
            request.stdout_max_bytes = 1;
            request.on_stdout = [&out](std::string_view bytes) {
                return append_to(&out, bytes);
            };
            request.on_stderr = [&err](std::string_view bytes) {
                return append_to(&err, bytes);
            };
            co_await world.run(std::move(request));
            CHECK(out == "123456");
            CHECK(err == "abc");
        });
    }

    TEST_CASE("no state goes from one call to the next (field-90)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("cd /usr; export V=1");
            co_await world.run(std::move(request));
            request = request_of("pwd; echo [$V]");
            const auto result = co_await world.run(std::move(request));
            CHECK(result.stdout_output.text == "/\n[]\n");
        });
    }

    TEST_CASE("a missing working directory is an error of its own (BL-19, field-59, W-S7)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("true");
            request.workdir = "/no/such/folder";
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure == "SPAWN_FAILED: working directory does not exist: /no/such/folder");
        });
    }

    TEST_CASE("a NUL byte in the command is refused before the provider is asked (field-93)") {
        using namespace std::string_literals;
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo a\0b"s);
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.starts_with("INVALID_SPAWN: invalid argv[2]: "));
            CHECK(world.sandbox->asked.empty());
        });
    }

    TEST_CASE("a command too long for the kernel is a typed error (field-100, W-S8)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of(": " + std::string(140'000, 'x'));
            const std::string failure = co_await failure_of_run(world, std::move(request));
            CHECK(failure.find("E2BIG") != std::string::npos);
            CHECK(failure.starts_with("SPAWN_FAILED: "));
        });
    }
}
