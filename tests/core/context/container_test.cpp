#include "context_fixture.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/context/settle.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/coroutine.hpp>

using namespace cordon;
using namespace cordon::testing;

namespace asio = boost::asio;

namespace {

using Lines = std::vector<std::string>;

Task<> leave_the_strand(Context context, int number) {
    const int same = co_await offload([number] { return number; });
    context.provide(fmt::format("s{}", number), std::make_shared<Number>(same));
    context.effect("undo", undo_of([] {}));
}

Task<> run_many(Context root) {
    for (int number = 0; number < 20; ++number) {
        const std::string needed = fmt::format("s{}", number - 1);
        const std::vector<std::string> inject =
            number == 0 ? std::vector<std::string>{} : std::vector<std::string>{needed};
        root.plugin(plugin_of_task("p", inject, [number](Context context) {
            return leave_the_strand(std::move(context), number);
        }));
    }
    co_await all_settled(root);
    CHECK(root.find("s19"));
}

}  // namespace

TEST_SUITE("Container") {
    // CTX-1, CTX-20, FIB-8
    TEST_CASE_FIXTURE(ContextFixture, "begins with an active root") {
        CHECK(root.fiber()->uid() == 0);
        CHECK(root.fiber()->state() == FiberState::active);
        CHECK(root.describe() == "Context <root>");
        CHECK(root.fiber()->plugin() == nullptr);
        CHECK(root.isolate("x").root().fiber() == root.fiber());
    }

    // FIB-59, DIF-29, PIT-33
    TEST_CASE_FIXTURE(ContextFixture, "shutdown() disposes last started first, and is final") {
        for (const std::string name : {"first", "second", "third"}) {
            root.plugin(plugin_of(name, {}, [this, name](const Context& context) {
                context.effect("undo", undo_of([this, name] { note("{}", name); }));
            }));
        }
        turn();

        await(container.shutdown());
        await(container.shutdown());

        CHECK(trace == Lines{"third", "second", "first"});
        CHECK(code_of([&] { root.plugin(plugin_of("late")); }) == "INACTIVE_EFFECT");
        CHECK(root.fiber()->state() == FiberState::disposed);
        CHECK(code_of([&] { await(root.fiber()->restart()); }) == "INACTIVE_EFFECT");
    }

    TEST_CASE_FIXTURE(ContextFixture, "shutdown() waits for what was being disposed of already") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();
        fiber->request_dispose();

        const auto shutdown = start(container.shutdown());
        turn();
        CHECK(!shutdown->ended);
        gate.complete();
        turn();

        CHECK(shutdown->ended);
    }

    // LOG-14
    TEST_CASE_FIXTURE(
        ContextFixture, "a failing log sink disturbs nobody, a null one drops records"
    ) {
        container.set_log([](const LogRecord&) { throw std::runtime_error{"full"}; });
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [](const Context& context) {
            context.log(LogLevel::error, "hello");
        }));
        turn();
        container.set_log(nullptr);
        root.log(LogLevel::error, "hello");

        CHECK(fiber->state() == FiberState::active);
    }

    // PIT-18
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-16: the default threshold shows warnings and hides details"
    ) {
        std::vector<std::string> shown;
        container.set_log([&](const LogRecord& record) { shown.push_back(record.message); });

        root.log(LogLevel::warn, "warning");
        root.log(LogLevel::debug, "detail");

        CHECK(shown == Lines{"warning"});
    }

    // DIF-18, PIT-30
    TEST_CASE("DIF-18: works on a pool of threads and shuts down from outside the strand") {
        asio::thread_pool threads{2};
        {
            Container container{threads.get_executor()};
            asio::co_spawn(container.strand(), run_many(container.root()), asio::use_future).get();
            asio::co_spawn(threads, container.shutdown(), asio::use_future).get();
        }
        threads.join();
    }

    TEST_CASE("leaves contexts readable when it is gone") {
        asio::io_context io;
        auto container = std::make_unique<Container>(io.get_executor());
        const Context root = container->root();
        const FiberPtr fiber = root.plugin(plugin_of("p"));
        asio::co_spawn(container->strand(), container->shutdown(), [](std::exception_ptr) {});
        io.run();
        container.reset();

        CHECK(root.root().describe() == "Context <root>");
        CHECK(!fiber->context().find("number"));
        CHECK(fiber->state() == FiberState::disposed);
    }
}

TEST_SUITE("all_settled()") {
    TEST_CASE_FIXTURE(ContextFixture, "waits for those that start one after the other") {
        Completion gate{container.strand()};

        struct Body {
            static Task<> run(Context context, Completion opened) {
                co_await opened.wait();
                context.provide(std::make_shared<Number>(1));
            }
        };

        root.plugin(plugin_of_task("provider", {}, [gate](Context context) {
            return Body::run(std::move(context), gate);
        }));
        const FiberPtr dependent = root.plugin(plugin_of("dependent", {"number"}));
        const FiberPtr waiting = root.plugin(plugin_of("waiting", {"nothing"}));

        const auto settled = start(all_settled(root));
        turn();
        CHECK(!settled->ended);
        gate.complete();
        turn();

        CHECK(settled->ended);
        CHECK(dependent->state() == FiberState::active);
        CHECK(waiting->state() == FiberState::pending);
    }
}
