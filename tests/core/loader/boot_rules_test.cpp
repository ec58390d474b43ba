#include "boot.hpp"

#include <cordon/context/fiber.hpp>
#include <cordon/loader/tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::boot;
using testing::contains;
using testing::line_of;
using testing::Outcome;
using testing::Setup;

TEST_SUITE("a boot") {
    CO_TEST_CASE("with one row that cannot be opened fails and has started nothing (BOOT-4, BOOT-5)"
    ) {
        const Outcome outcome =
            co_await boot("- insert: [{id: p, name: provides_greeting}, {id: x, name: no-such}]");

        CHECK(outcome.code == "BOOT_FAILED");
        CHECK(contains(line_of(outcome.failure, "x"), "failed to import loader entry x (no-such)"));
        CHECK(outcome.log == "");
    }

    CO_TEST_CASE("names every row that is not active, one line each (BOOT-6, BOOT-7, BOOT-11)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: bad, name: throws_in_start}\n"
            "    - {id: waits, name: needs_nobody}\n"
            "    - {id: good, name: tracer}\n"
        );

        CHECK(outcome.code == "BOOT_FAILED");
        CHECK(contains(line_of(outcome.failure, "bad"), "the start went wrong"));
        CHECK(contains(line_of(outcome.failure, "waits"), "pending (waiting for service: greating)")
        );
        CHECK(line_of(outcome.failure, "good") == "");
        CHECK(std::count(outcome.failure.begin(), outcome.failure.end(), '\n') == 1);
    }

    CO_TEST_CASE("does not wait for disabled rows (BOOT-10)") {
        const Outcome outcome = co_await boot(
            "- insert: [{id: slow, name: never_ready, disabled: true}, {id: a, name: tracer}]"
        );

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "slow:disabled a:active");
    }

    CO_TEST_CASE("that a plugin ends together with everything ends quietly (BOOT-12, BOOT-18)") {
        Setup setup{{"- insert: [{id: x, name: throws_in_start}]"}, {}, {}, {}};
        setup.prepare = [](const Context& root) {
            auto plugin = std::make_shared<PluginDescriptor>();
            plugin->name = "one-shot";
            plugin->apply = [](Context context, Value) -> Task<> {
                context.root().fiber()->request_dispose();
                co_return;
            };
            root.plugin(std::move(plugin));
        };

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
    }

    TEST_CASE("knows the states by the numbers of its messages (BOOT-27)") {
        CHECK(static_cast<int>(FiberState::pending) == 0);
        CHECK(static_cast<int>(FiberState::loading) == 1);
        CHECK(static_cast<int>(FiberState::active) == 2);
        CHECK(static_cast<int>(FiberState::failed) == 3);
        CHECK(static_cast<int>(FiberState::disposed) == 4);
        CHECK(static_cast<int>(FiberState::unloading) == 5);
    }
}

// The mistakes of the field that only a boot can find; their messages are pinned to the letter.
TEST_SUITE("a mistake in a composition") {
    CO_TEST_CASE("wrong service name") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: p, name: provides_greeting}\n"
            "    - {id: a, name: tracer, inject: [greting]}\n"
        );

        CHECK(
            outcome.failure ==
            "1.yml:3:12: row 'a' (tracer): pending (waiting for service: greting): nobody provides "
            "it; perhaps 'greeting' is meant"
        );
    }

    CO_TEST_CASE("cycle") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: a, name: provides_greeting, inject: [farewell]}\n"
            "    - {id: b, name: needs_greeting}\n"
        );

        CHECK(
            outcome.failure ==
            "1.yml:2:12: row 'a' (provides_greeting): pending (waiting for service: farewell): its "
            "provider row 'b' is waiting itself; these rows wait for each other: row 'a' -> "
            "farewell -> row 'b' -> greeting -> row 'a'\n"
            "1.yml:3:12: row 'b' (needs_greeting): pending (waiting for service: greeting): its "
            "provider row 'a' is waiting itself; these rows wait for each other: row 'b' -> "
            "greeting -> row 'a' -> farewell -> row 'b'"
        );
    }

    CO_TEST_CASE("plugin that throws") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: p, name: throws_in_start}\n"
            "    - {id: n, name: needs_greeting}\n"
        );

        CHECK(
            outcome.failure ==
            "1.yml:2:12: row 'p' (throws_in_start): failed to apply loader entry p "
            "(throws_in_start): the start went wrong\n"
            "1.yml:3:12: row 'n' (needs_greeting): pending (waiting for service: greeting): its "
            "provider row 'p' failed"
        );
    }
}
