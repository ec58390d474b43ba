#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("Fiber: waiting for services") {
    // INJ-4, INJ-5
    TEST_CASE_FIXTURE(
        ContextFixture, "stays pending without its services and starts with the last"
    ) {
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {"a", "b", "a"}, [&](const Context&) { note("body"); }));
        turn();
        await(fiber->settled());
        CHECK(fiber->state() == FiberState::pending);
        CHECK(fiber->required() == Lines{"a", "b"});
        CHECK(fiber->missing() == Lines{"a", "b"});

        root.provide("b", std::make_shared<Number>(2));
        CHECK(fiber->missing() == Lines{"a"});
        root.provide("a", std::make_shared<Number>(1));
        CHECK(fiber->state() == FiberState::loading);
        CHECK(trace.empty());
        turn();

        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"body"});
    }

    // INJ-6
    TEST_CASE_FIXTURE(
        ContextFixture, "stops when a service goes and starts again when it is back"
    ) {
        Effect service = root.provide(std::make_shared<Number>(1));
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}, [&](const Context& context) {
            note("body {}", context.use<Number>()->value);
            context.effect("undo", undo_of([&] { note("undo"); }));
        }));
        turn();

        await(service.dispose());
        CHECK(fiber->state() == FiberState::pending);
        root.provide(std::make_shared<Number>(2));
        turn();

        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"body 1", "undo", "body 2"});
    }

    // INJ-7, TRC-7
    TEST_CASE_FIXTURE(ContextFixture, "finishes a load whose service went, then unloads") {
        Completion gate{container.strand()};
        Effect service = root.provide(std::make_shared<Number>(1));
        const FiberPtr fiber = root.plugin(plugin_of_task("p", {"number"}, [gate](const Context&) {
            return wait_for(gate);
        }));
        turn();

        const auto withdrawal = start(service.dispose());
        turn();
        CHECK(fiber->state() == FiberState::loading);
        CHECK(!withdrawal->ended);
        gate.complete();
        turn();

        CHECK(fiber->state() == FiberState::pending);
        CHECK(withdrawal->ended);
    }

    // SVC-35, PIT-2
    TEST_CASE_FIXTURE(
        ContextFixture,
        "DIF-1: reloads where a service was replaced by the same owner during the load"
    ) {
        Completion gate{container.strand()};
        Effect service = root.provide(std::make_shared<Number>(1));

        struct Body {
            static Task<> run(ContextFixture* test, Completion opened, Context context) {
                test->note("load {}", context.use<Number>()->value);
                co_await opened.wait();
            }
        };

        root.plugin(plugin_of_task("p", {"number"}, [this, gate](Context context) {
            return Body::run(this, gate, std::move(context));
        }));
        turn();

        service.request_dispose();
        root.provide(std::make_shared<Number>(2));
        turn();
        gate.complete();
        turn();

        CHECK(trace == Lines{"load 1", "load 2"});
    }

    // INJ-12
    TEST_CASE_FIXTURE(ContextFixture, "inject() runs a body while the services are there") {
        struct Body {
            static Task<> run(ContextFixture* test, Context context) {
                test->note("with {}", context.use<Number>()->value);
                co_return;
            }
        };

        const FiberPtr fiber = root.inject({"number"}, [this](Context context) {
            return Body::run(this, std::move(context));
        });
        CHECK(fiber->name() == "root");

        Effect service = root.provide(std::make_shared<Number>(1));
        turn();
        service.request_dispose();
        turn();

        CHECK(trace == Lines{"with 1"});
        CHECK(fiber->state() == FiberState::pending);
    }

    // INJ-15
    TEST_CASE_FIXTURE(
        ContextFixture, "a body may wait for a child that needs what the body provides"
    ) {
        struct Body {
            static Task<> run(Context context) {
                context.provide(std::make_shared<Number>(1));
                const FiberPtr child = context.plugin(plugin_of("child", {"number"}));
                co_await child->settled();
            }
        };

        const FiberPtr parent = root.plugin(plugin_of_task("parent", {}, &Body::run));

        await(parent->settled());
        turn();

        CHECK(parent->state() == FiberState::active);
        CHECK(root.get<Number>());
    }

    TEST_CASE_FIXTURE(ContextFixture, "services may be added to those the plugin declares") {
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {"a"}), {}, {{"b", "a"}, nullptr, "named"});

        CHECK(fiber->required() == Lines{"a", "b"});
        CHECK(fiber->name() == "named");
    }
}

TEST_SUITE("Fiber: failures") {
    // FIB-16, FIB-17, DIF-32
    TEST_CASE_FIXTURE(ContextFixture, "an exception of any type makes it failed, logged once") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [](const Context&) { throw 7; }));
        const FiberPtr other = root.plugin(plugin_of("other"));

        CHECK(code_of([&] { await(fiber->settled()); }).empty());
        CHECK(fiber->state() == FiberState::failed);
        CHECK(failure_of([&] { std::rethrow_exception(fiber->error()); }) == "7");
        CHECK(errors() == Lines{"p: 7"});
        CHECK(other->state() == FiberState::active);
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "a function that throws instead of returning a task counts too"
    ) {
        const FiberPtr fiber = root.plugin(plugin_of_task("p", {}, [](const Context&) -> Task<> {
            throw std::runtime_error{"no task"};
        }));
        turn();

        CHECK(errors() == Lines{"p: no task"});
        CHECK(fiber->state() == FiberState::failed);
    }

    // FIB-15
    TEST_CASE_FIXTURE(ContextFixture, "a child's failure leaves its parent alone") {
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [](const Context& context) {
            context.plugin(plugin_of("child", {}, [](const Context&) {
                throw std::runtime_error{"boom"};
            }));
        }));
        turn();

        CHECK(parent->state() == FiberState::active);
        CHECK(errors() == Lines{"child: boom"});
    }

    // REG-2
    TEST_CASE_FIXTURE(
        ContextFixture, "a descriptor without apply is refused before anything is made"
    ) {
        observe();
        CHECK(code_of([&] { root.plugin(nullptr); }) == "INVALID_PLUGIN");
        CHECK(code_of([&] {
                  root.plugin(std::make_shared<const PluginDescriptor>());
              }) == "INVALID_PLUGIN");
        CHECK(trace.empty());
    }
}
