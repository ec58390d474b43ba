#include "context_fixture.hpp"

#include <cordon/async/shield.hpp>
#include <cordon/context/settle.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Awaits what `make` returns and notes the code of the error that came out.
Task<> note_code(ContextFixture* test, std::function<Task<>()> make) {
    std::string code = "no error";
    try {
        Task<> task = make();
        co_await std::move(task);
    } catch (const Error& error) {
        code = error.code();
    }
    test->note("{}", code);
}

/// The same one coroutine further in.
Task<> note_code_shielded(ContextFixture* test, std::function<Task<>()> make) {
    Task<> task = note_code(test, std::move(make));
    co_await shield(std::move(task));
}

}  // namespace

// field-147, FIB-50, PIT-7
TEST_SUITE("DIF-6: waiting for oneself") {
    TEST_CASE_FIXTURE(
        ContextFixture, "a body cannot wait for its own disposal, restart or settling"
    ) {
        const FiberPtr fiber = root.plugin(plugin_of_task("p", {}, [&](const Context& context) {
            return note_code(this, [context] { return context.fiber()->dispose(); });
        }));
        root.plugin(plugin_of_task("q", {}, [&](const Context& context) {
            return note_code(this, [context] { return context.fiber()->restart(); });
        }));
        root.plugin(plugin_of_task("r", {}, [&](const Context& context) {
            return note_code(this, [context] { return context.fiber()->settled(); });
        }));
        root.plugin(plugin_of_task("s", {}, [&](const Context& context) {
            return note_code_shielded(this, [context] {
                return dropped(context.fiber()->update(1));
            });
        }));
        root.plugin(plugin_of_task("t", {}, [&](const Context& context) {
            return note_code(this, [context] { return all_settled(context); });
        }));
        turn();

        CHECK(trace == Lines(5, "DEADLOCK"));
        CHECK(fiber->state() == FiberState::active);
        CHECK(fiber->uid());
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "an undo cannot wait for its fiber's disposal or for itself"
    ) {
        const auto own = std::make_shared<Effect>();
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&, own](const Context& context) {
            context.effect("fiber", [this, context] {
                return note_code(this, [context] { return context.fiber()->dispose(); });
            });
            *own = context.effect("itself", [this, own] {
                return note_code(this, [own] { return own->dispose(); });
            });
        }));
        turn();

        await(fiber->dispose());

        CHECK(trace == Lines{"DEADLOCK", "DEADLOCK"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "nobody can wait for whom it keeps from ending") {
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                context.provide(std::make_shared<Number>(1));
                context.plugin(plugin_of("child", {}, [&, context](const Context& inner) {
                    inner.effect("undo", [this, context] {
                        return note_code(this, [context] { return context.fiber()->dispose(); });
                    });
                }));
            }));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context& context) {
            context.effect("undo", [this, provider] {
                return note_code(this, [provider] { return provider->dispose(); });
            });
            context.effect("container", [this] {
                return note_code(this, [this] { return container.shutdown(); });
            });
        }));
        turn();

        await(provider->dispose());

        CHECK(trace == Lines(3, "DEADLOCK"));
        CHECK(provider->state() == FiberState::disposed);
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "a dependent cannot wait for the withdrawal of what it uses"
    ) {
        const auto service = std::make_shared<Effect>(root.provide(std::make_shared<Number>(1)));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context& context) {
            context.effect("undo", [this, service] {
                return note_code(this, [service] { return service->dispose(); });
            });
        }));
        turn();

        await(service->dispose());

        CHECK(trace == Lines{"DEADLOCK"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "a body may wait for the disposal of a child and of others") {
        const FiberPtr other = root.plugin(plugin_of("other"));
        root.plugin(plugin_of_task("p", {}, [&, other](const Context& context) {
            const FiberPtr child = context.plugin(plugin_of("child"));
            return note_code(this, [other] { return other->dispose(); });
        }));
        root.plugin(plugin_of_task("q", {}, [&](const Context& context) {
            const FiberPtr child = context.plugin(plugin_of("child"));
            return note_code(this, [child] { return child->dispose(); });
        }));
        turn();

        CHECK(trace == Lines{"no error", "no error"});
    }
}
