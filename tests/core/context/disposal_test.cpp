#include "context_fixture.hpp"

#include <boost/asio/this_coro.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Waits at `gate` and notes how that ended.
Task<> wait_noting(ContextFixture* test, Completion gate) {
    bool is_cancelled = false;
    try {
        co_await gate.wait();
    } catch (const std::exception&) {
        is_cancelled = true;
    }
    test->note("{}", is_cancelled ? "cancelled" : "finished");
    if (is_cancelled) {
        throw std::runtime_error{"stopped half-way"};
    }
}

/// An effect whose undo notes `name`.
void note_undo(ContextFixture& test, const Context& context, const std::string& name) {
    context.effect(name, undo_of([&test, name] { test.note("{}", name); }));
}

}  // namespace

TEST_SUITE("Fiber: disposal") {
    // field-143
    TEST_CASE_FIXTURE(ContextFixture, "ends in disposed from every state, with one event") {
        Completion gate{container.strand()};
        const FiberPtr pending = root.plugin(plugin_of("pending", {"number"}));
        const FiberPtr loading = root.plugin(plugin_of_task("loading", {}, [gate](const Context&) {
            return wait_for(gate);
        }));
        const FiberPtr failed = root.plugin(plugin_of("failed", {}, [](const Context&) {
            throw std::runtime_error{"boom"};
        }));
        turn();
        std::vector<std::string> ended;
        root.on<StatusEvent>([&](const FiberPtr& fiber, FiberState) {
            if (fiber->state() == FiberState::disposed) {
                ended.push_back(fiber->name());
            }
        });

        for (const FiberPtr& fiber : {pending, loading, failed}) {
            await(fiber->dispose());
            CHECK(fiber->state() == FiberState::disposed);
            CHECK(!fiber->uid());
            await(fiber->settled());
        }

        CHECK(ended == Lines{"pending", "loading", "failed"});
    }

    // PIT-4
    TEST_CASE_FIXTURE(ContextFixture, "DIF-2: whoever asks second waits as long as the first") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();

        const auto first = start(fiber->dispose());
        turn();
        const auto second = start(fiber->dispose());
        turn();
        CHECK(!first->ended);
        CHECK(!second->ended);
        gate.complete();
        turn();

        CHECK((first->ended && second->ended));
    }

    // FIB-52, FIB-53
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-3: undoes strictly last in, first out, children in their place"
    ) {
        Completion gate{container.strand()};
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            note_undo(*this, context, "first");
            context.plugin(plugin_of("child", {}, [&](const Context& inner) {
                note_undo(*this, inner, "child's");
            }));
            context.effect("slow", [gate] { return wait_for(gate); });
            note_undo(*this, context, "last");
        }));
        turn();

        const auto disposal = start(parent->dispose());
        turn();
        CHECK(trace == Lines{"last"});
        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"last", "child's", "first"});
    }

    // field-145, PIT-6, FIB-44
    TEST_CASE_FIXTURE(ContextFixture, "DIF-4: a failing undo stops no other, and is logged once") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            note_undo(*this, context, "first");
            context.effect("broken", []() -> Task<> { throw std::runtime_error{"stuck"}; });
            context.effect("odd", undo_of([] { throw 7; }));
            note_undo(*this, context, "last");
        }));
        turn();

        await(fiber->dispose());

        CHECK(trace == Lines{"last", "first"});
        CHECK(
            errors() == Lines{"p: the undo of 'odd' failed: 7; the undo of 'broken' failed: stuck"}
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "DIF-5: cancels the body of a load and waits for it") {
        Completion never{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of_task("p", {}, [&](const Context& context) {
            note_undo(*this, context, "undo");
            return wait_noting(this, never);
        }));
        turn();

        await(fiber->dispose());

        CHECK(trace == Lines{"cancelled", "undo"});
        CHECK(fiber->state() == FiberState::disposed);
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-5: a body that ends by its cancellation has not failed"
    ) {
        Completion never{container.strand()};
        const FiberPtr fiber =
            root.plugin(plugin_of_task("p", {}, [never](const Context&) { return wait_for(never); })
            );
        turn();

        await(fiber->dispose());

        CHECK(errors().empty());
    }

    // FIB-49, field-147
    TEST_CASE_FIXTURE(ContextFixture, "a body may ask for its own disposal without waiting") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            note_undo(*this, context, "undo");
            context.fiber()->request_dispose();
            note("still running, {}", code_of([&] { context.effect("late", nullptr); }));
        }));

        await(fiber->settled());

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace == Lines{"still running, INACTIVE_EFFECT", "undo"});
    }

    // FIB-6, PIT-8
    TEST_CASE_FIXTURE(ContextFixture, "an observer may dispose of a fiber that is being made") {
        root.on<PluginEvent>([](const FiberPtr& fiber) { fiber->request_dispose(); });

        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context&) { note("body"); }));
        turn();

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace.empty());
    }

    TEST_CASE_FIXTURE(ContextFixture, "a child is not started while its parent unloads") {
        Completion gate{container.strand()};
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            context.plugin(plugin_of("child", {"number"}, [&](const Context&) { note("body"); }));
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();
        parent->request_dispose();
        turn();

        root.provide(std::make_shared<Number>(1));
        gate.complete();
        turn();

        CHECK(trace.empty());
        CHECK(parent->state() == FiberState::disposed);
    }
}

TEST_SUITE("Fiber: when it may register") {
    // FIB-55, FIB-56, CTX-19, EFF-20, PIT-11, PIT-23
    TEST_CASE_FIXTURE(ContextFixture, "DIF-13: only loading and active fibers accept anything") {
        const auto refuses = [](const Context& context) {
            const std::string text = "cannot create effect on inactive context";
            CHECK(failure_of([&] { context.effect("e", nullptr); }) == text);
            CHECK(failure_of([&] { context.provide(std::make_shared<Number>(1)); }) == text);
            CHECK(failure_of([&] { context.plugin(plugin_of("child")); }) == text);
            CHECK(failure_of([&] { context.on<PluginEvent>([](const FiberPtr&) {}); }) == text);
        };
        const FiberPtr pending = root.plugin(plugin_of("pending", {"other"}));
        const FiberPtr failed = root.plugin(plugin_of("failed", {}, [](const Context&) {
            throw std::runtime_error{"boom"};
        }));
        const FiberPtr unloading =
            root.plugin(plugin_of("unloading", {}, [&](const Context& context) {
                context.effect("undo", undo_of([context, refuses] { refuses(context); }));
            }));
        turn();

        refuses(pending->context());
        refuses(failed->context());
        await(unloading->restart());
        await(unloading->dispose());
        refuses(unloading->context());

        CHECK(unloading->context().describe() == "Context <unloading>");
        CHECK(!root.get<Number>());
        CHECK(errors().size() == 1);
    }
}
