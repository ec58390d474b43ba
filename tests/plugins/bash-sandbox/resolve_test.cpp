#include "shell_world.hpp"

#include <filesystem>

namespace {

using namespace cordon::testing;
using namespace std::chrono_literals;
using cordon::Task;

cordon::bash_sandbox::Config short_config() {
    cordon::bash_sandbox::Config config;
    config.cwd = "/srv";
    config.timeout_ms = 2'000;
    config.max_timeout_ms = 5'000;
    config.max_output_bytes = 77;
    return config;
}

Task<std::string> failure_of_resolve(const ShellWorld& world, cordon::ShellRequest request) {
    try {
        co_await world.shell->resolve(std::move(request));
    } catch (const cordon::Error& error) {
        co_return error.message();
    }
    co_return "";
}

}  // namespace

TEST_SUITE("resolve") {
    TEST_CASE("fills in what the request leaves out (BL-5, BL-6, BL-7)") {
        with_shell(
            [](ShellWorld& world) -> Task<> {
                cordon::ShellRequest request;
                request.command = "true";
                const auto spec = co_await world.shell->resolve(std::move(request));
                CHECK(spec.workdir == "/srv");
                CHECK(spec.timeout == 2s);
                CHECK(spec.stdout_max_bytes == 77);
                CHECK(spec.env.empty());
                CHECK(spec.sandbox_policy == world.policy->policy);
            },
            short_config()
        );
    }

    TEST_CASE("without a configured directory the host's own is taken (BL-5)") {
        with_shell([](ShellWorld& world) -> Task<> {
            cordon::ShellRequest request;
            request.command = "true";
            const auto spec = co_await world.shell->resolve(std::move(request));
            CHECK(spec.workdir == std::filesystem::current_path().string());
        });
    }

    TEST_CASE("what the request says wins, the timeout up to its cap (BL-6)") {
        with_shell(
            [](ShellWorld& world) -> Task<> {
                auto request = request_of("true");
                request.timeout = 1h;
                request.stdout_max_bytes = 5;
                request.stdin_mode = cordon::InputBytes{""};
                request.env = {{"A", "1"}, {"B", std::nullopt}};
                const auto spec = co_await world.shell->resolve(std::move(request));
                CHECK(spec.workdir == "/");
                CHECK(spec.timeout == 5s);
                CHECK(spec.stdout_max_bytes == 5);
                CHECK(std::holds_alternative<cordon::InputBytes>(spec.stdin_mode));
                CHECK(spec.env.size() == 2);
            },
            short_config()
        );
    }

    TEST_CASE("the default timeout is capped too (TM-2)") {
        auto config = short_config();
        config.max_timeout_ms = 500;
        with_shell(
            [](ShellWorld& world) -> Task<> {
                auto request = request_of("true");
                const auto spec = co_await world.shell->resolve(std::move(request));
                CHECK(spec.timeout == 500ms);
            },
            config
        );
    }

    TEST_CASE("refuses a timeout and a cap that are not positive, in the contract's words") {
        with_shell([](ShellWorld& world) -> Task<> {
            for (const auto timeout : {0ms, -5ms}) {
                auto request = request_of("true");
                request.timeout = timeout;
                const std::string text = co_await failure_of_resolve(world, std::move(request));
                CHECK(text == "bash-local: request.timeoutMs must be a positive finite number");
            }
            auto request = request_of("true");
            request.stdout_max_bytes = 0;
            const std::string text = co_await failure_of_resolve(world, std::move(request));
            CHECK(text == "bash-local: request.stdoutMaxBytes must be a positive finite number");
        });
    }

    TEST_CASE("an explicit policy outranks the deployment's (BX-2)") {
        with_shell([](ShellWorld& world) -> Task<> {
            const cordon::SandboxExecutionPolicy own{
                cordon::SandboxMode::read_only, "/srv", "session"};
            auto request = request_of("true");
            request.sandbox_policy = own;
            const auto spec = co_await world.shell->resolve(std::move(request));
            CHECK(spec.sandbox_policy == own);
            CHECK(world.shell->sandbox_mode() == cordon::SandboxMode::workspace_write);
        });
    }
}
