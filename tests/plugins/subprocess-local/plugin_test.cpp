#include "with_service.hpp"

#include <cordon/context/container.hpp>
#include <cordon/context/plugin.hpp>

#include <sys/wait.h>

extern "C" const cordon::PluginExport cordon_plugin;

namespace {

using namespace cordon::testing;
using cordon::Task;

Task<> refuse_bytes(std::string_view) {
    throw cordon::Error{"the reader has gone"};
    co_return;
}

Task<> start_then_unload() {
    const auto executor = co_await boost::asio::this_coro::executor;
    cordon::Container container{executor};
    const cordon::Context root = container.root();
    const auto fiber = root.plugin(cordon_plugin.describe());
    co_await fiber->settled();
    const cordon::Pipe held = cordon::make_pipe();
    std::unique_ptr<cordon::ProcessHandle> handle;
    {
        const auto service = root.get<cordon::SubprocessService>();
        REQUIRE(service);
        auto spec = bash("sleep 1000; :");
        spec.descriptors = {{3, held.write.get()}};
        handle = co_await service->spawn(std::move(spec));
    }
    co_await fiber->dispose();
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    const auto status = co_await handle->wait();
    CHECK(status.signal == "SIGTERM");
    co_await container.shutdown();
}

Task<> log_failing_sink() {
    const auto executor = co_await boost::asio::this_coro::executor;
    cordon::Container container{executor};
    std::vector<std::string> messages;
    container.set_log([&messages](const cordon::LogRecord& record) {
        messages.push_back(record.message);
    });
    const cordon::Context root = container.root();
    const auto fiber = root.plugin(cordon_plugin.describe());
    co_await fiber->settled();
    {
        const auto service = root.get<cordon::SubprocessService>();
        auto spec = spec_of({"echo", "text"});
        spec.stdout_mode = cordon::CollectOutput{10, refuse_bytes};
        co_await finish(*service, std::move(spec));
    }
    co_await container.shutdown();
    REQUIRE(messages.size() == 1);
    CHECK(messages.front().find("the reader has gone") != std::string::npos);
}

Task<> refuse_config() {
    const auto executor = co_await boost::asio::this_coro::executor;
    cordon::Container container{executor};
    const auto fiber =
        container.root().plugin(cordon_plugin.describe(), cordon::Object{{"graceMs", 0}});
    std::string message;
    try {
        co_await fiber->settled();
    } catch (const cordon::Error& error) {
        message = error.message();
    }
    CHECK(message.find("graceMs must be from 1 to 2147483647") != std::string::npos);
    co_await container.shutdown();
}

}  // namespace

TEST_SUITE("subprocess-local plugin") {
    TEST_CASE("unloading ends every process and waits for it (SU-70)") {
        run(&start_then_unload);
    }

    TEST_CASE("a failing sink is said in the log") {
        run(&log_failing_sink);
    }

    TEST_CASE("refuses a grace period that is none") {
        run(&refuse_config);
    }
}
