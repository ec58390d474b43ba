#include "shell_world.hpp"

#include <cordon/context/plugin.hpp>

extern "C" const cordon::PluginExport cordon_plugin;

namespace {

using namespace cordon::testing;
using cordon::Task;
using cordon::subprocess_local::EndTimes;
using cordon::subprocess_local::LocalSubprocess;

Task<> start_and_use() {
    const auto executor = co_await boost::asio::this_coro::executor;
    cordon::Container container{executor};
    const cordon::Context root = container.root();
    const auto fiber = root.plugin(cordon_plugin.describe());
    co_await fiber->settled();
    CHECK(fiber->state() == cordon::FiberState::pending);
    CHECK_FALSE(root.get<cordon::ShellExecutor>());

    const auto processes = std::make_shared<LocalSubprocess>(
        root.executor(), EndTimes{}, [](const std::string&, const std::exception_ptr&) {}
    );
    root.provide<cordon::SubprocessService>(processes);
    root.provide<cordon::SandboxProvider>(std::make_shared<FakeSandbox>());
    root.provide<cordon::SandboxPolicyService>(std::make_shared<FakePolicy>());
    co_await fiber->settled();
    CHECK(fiber->state() == cordon::FiberState::active);
    {
        const auto shell = root.get<cordon::ShellExecutor>();
        REQUIRE(shell);
        auto request = request_of("echo composed");
        auto spec = co_await shell->resolve(std::move(request));
        const auto result = co_await shell->run(std::move(spec));
        CHECK(result.stdout_output.text == "composed\n");
    }
    co_await processes->stop();
    co_await container.shutdown();
}

}  // namespace

TEST_SUITE("bash-sandbox plugin") {
    TEST_CASE("waits for its three services, then provides the shell (BX-1)") {
        run(&start_and_use);
    }
}
