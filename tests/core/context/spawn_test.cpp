#include "context_fixture.hpp"

#include <cordon/async/completion.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Notes how the work ends.
Task<> work(ContextFixture* test, std::string name, Completion gate) {
    struct OnExit {
        ~OnExit() { fixture->note("{} ends", label); }

        ContextFixture* fixture;
        std::string label;
    };

    const OnExit on_exit{test, name};
    test->note("{} starts", name);
    co_await gate.wait();
    test->note("{} goes on", name);
}

Task<> fail_after(Completion gate) {
    co_await gate.wait();
    throw std::runtime_error{"lost the connection"};
}

Task<> dispose_own(ContextFixture* test, Context context, Completion gate) {
    co_await gate.wait();
    try {
        co_await context.fiber()->dispose();
    } catch (const Error& error) {
        test->note("{}", error.code());
    }
}

Task<> end_own(std::shared_ptr<Effect> own) {
    own->request_dispose();
    co_return;
}

}  // namespace

TEST_SUITE("Context::spawn()") {
    TEST_CASE_FIXTURE(
        ContextFixture, "work that ends its own effect and never waits ends quietly"
    ) {
        const auto own = std::make_shared<Effect>();
        *own = root.spawn("own", end_own(own));
        turn();

        CHECK(!own->is_active());
        CHECK(errors().empty());
    }

    // DIF-5, PIT-29
    TEST_CASE_FIXTURE(ContextFixture, "the unload cancels the work and waits for its end") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("first", undo_of([&] { note("first undone"); }));
            context.spawn("poll", work(this, "poll", gate));
            context.effect("last", undo_of([&] { note("last undone"); }));
        }));
        turn();
        CHECK(fiber->state() == FiberState::active);
        CHECK(take_trace() == Lines{"poll starts"});

        await(fiber->dispose());

        CHECK(trace == Lines{"last undone", "poll ends", "first undone"});
        CHECK(errors().empty());
    }

    TEST_CASE_FIXTURE(ContextFixture, "work that ends by itself is done with") {
        Completion gate{container.strand()};
        Effect effect;
        root.plugin(plugin_of("p", {}, [&](const Context& context) {
            effect = context.spawn("poll", work(this, "poll", gate));
        }));
        turn();
        CHECK(effect.is_active());

        gate.complete();
        turn();

        CHECK(!effect.is_active());
        CHECK(trace == Lines{"poll starts", "poll goes on", "poll ends"});
    }

    // DIF-19
    TEST_CASE_FIXTURE(
        ContextFixture, "a failure is logged under the fiber's name, and ends nothing"
    ) {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.spawn("poll", fail_after(gate));
        }));
        turn();
        gate.complete();
        turn();

        CHECK(errors() == Lines{"p: background work 'poll' failed: lost the connection"});
        CHECK(fiber->state() == FiberState::active);
        await(fiber->dispose());
        CHECK(errors().size() == 1);
    }

    TEST_CASE_FIXTURE(ContextFixture, "can be stopped by hand") {
        Completion gate{container.strand()};
        const Effect effect = root.spawn("poll", work(this, "poll", gate));
        turn();

        await(effect.dispose());

        CHECK(trace == Lines{"poll starts", "poll ends"});
    }

    // DIF-6
    TEST_CASE_FIXTURE(ContextFixture, "the work cannot wait for the end of its fiber") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.spawn("poll", dispose_own(this, context, gate));
        }));
        turn();
        gate.complete();
        turn();

        CHECK(trace == Lines{"DEADLOCK"});
        CHECK(fiber->state() == FiberState::active);
    }

    // FIB-55
    TEST_CASE_FIXTURE(ContextFixture, "a fiber that is gone starts nothing") {
        Completion gate{container.strand()};
        Context inside = root;
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context& context) { inside = context; }));
        turn();
        await(fiber->dispose());

        CHECK(code_of([&] { inside.spawn("x", work(this, "x", gate)); }) == "INACTIVE_EFFECT");
        CHECK(trace.empty());
    }
}
