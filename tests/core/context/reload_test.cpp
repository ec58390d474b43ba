#include "context_fixture.hpp"

#include <cordon/context/config_error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Notes its config and waits at `gate`.
PluginPtr slow_plugin(ContextFixture& test, Completion gate) {
    struct Body {
        static Task<> run(ContextFixture* fixture, Completion opened, Value config) {
            fixture->note("starts with {}", *config.as_number());
            co_await opened.wait();
        }
    };

    PluginDescriptor descriptor;
    descriptor.name = "slow";
    descriptor.apply = [&test, gate](const Context&, Value config) {
        return Body::run(&test, gate, std::move(config));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

/// A schema that accepts numbers only.
PluginPtr checked_plugin(ContextFixture& test, std::vector<std::string> inject = {}) {
    PluginDescriptor descriptor;
    descriptor.name = "checked";
    descriptor.inject = std::move(inject);
    descriptor.schema.check = [](const Value& config) {
        std::vector<Diagnostic> problems;
        if (config.as_number() == nullptr) {
            problems.push_back(
                {Severity::error, Place{"c.yml", 3, 5}, "config", "expected a number", "Write one"}
            );
        }
        return problems;
    };

    struct Body {
        static Task<> run(ContextFixture* fixture, Value config) {
            fixture->note("runs with {}", *config.as_number());
            co_return;
        }
    };

    descriptor.apply = [&test](const Context&, Value config) {
        return Body::run(&test, std::move(config));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

}  // namespace

TEST_SUITE("Fiber: config") {
    // FIB-11, SCH-22
    TEST_CASE_FIXTURE(ContextFixture, "a refused config means failed without running the body") {
        const FiberPtr fiber = root.plugin(checked_plugin(*this), "text");
        turn();

        CHECK(failure_of([&] {
                  await(fiber->settled());
              }) == "invalid config:\n  - config: expected a number\n    c.yml:3:5: Write one.");
        CHECK(code_of([&] { await(fiber->settled()); }) == "INVALID_CONFIG");
        CHECK(trace.empty());
        CHECK_THROWS_AS(std::rethrow_exception(fiber->error()), ConfigError);
    }

    // FIB-9
    TEST_CASE_FIXTURE(
        ContextFixture, "a config is looked at when the services are there, at every load"
    ) {
        int resolved = 0;
        PluginOptions options;
        options.resolve_config = [&](const Context& context, const Value&) -> Value {
            ++resolved;
            return context.use<Number>()->value;
        };
        const FiberPtr fiber =
            root.plugin(checked_plugin(*this, {"number"}), "text", std::move(options));
        turn();
        CHECK(fiber->state() == FiberState::pending);
        CHECK(resolved == 0);

        root.provide(std::make_shared<Number>(5));
        turn();
        await(fiber->restart());

        CHECK(resolved == 2);
        CHECK(trace == Lines{"runs with 5", "runs with 5"});
    }

    // FIB-33, PIT-10
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-11: a refused update changes nothing, at no later time"
    ) {
        const FiberPtr fiber = root.plugin(checked_plugin(*this), 1);
        turn();

        CHECK(code_of([&] { await(fiber->update("text")); }) == "INVALID_CONFIG");
        CHECK(fiber->state() == FiberState::active);
        await(fiber->restart());
        await(fiber->update(2));

        CHECK(trace == Lines{"runs with 1", "runs with 1", "runs with 2"});
    }

    // FIB-38, FIB-40
    TEST_CASE_FIXTURE(
        ContextFixture, "an update of a failed or pending fiber is kept for its next load"
    ) {
        const FiberPtr failed = root.plugin(checked_plugin(*this), "text");
        const FiberPtr pending = root.plugin(checked_plugin(*this, {"number"}), "text");
        turn();

        await(failed->update(3));
        await(pending->update(4));
        CHECK(failed->state() == FiberState::active);
        CHECK(pending->state() == FiberState::pending);
        root.provide(std::make_shared<Number>(1));
        turn();

        CHECK(trace == Lines{"runs with 3", "runs with 4"});
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "an update of a failed fiber without its services makes it pending"
    ) {
        Effect service = root.provide(std::make_shared<Number>(1));
        const FiberPtr fiber = root.plugin(checked_plugin(*this, {"number"}), "text");
        turn();
        await(service.dispose());
        CHECK(fiber->state() == FiberState::failed);

        await(fiber->update(3));

        CHECK(fiber->state() == FiberState::pending);
    }
}

TEST_SUITE("Fiber: restart") {
    // FIB-25, PIT-1
    TEST_CASE_FIXTURE(ContextFixture, "DIF-1: an update during a load is not lost") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(slow_plugin(*this, gate), 1);
        turn();

        const auto update = start(fiber->update(2));
        turn();
        CHECK(!update->ended);
        gate.complete();
        turn();

        CHECK(update->ended);
        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"starts with 1", "starts with 2"});
    }

    // FIB-24
    TEST_CASE_FIXTURE(ContextFixture, "several requests during an unload are one load") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            note("body");
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();

        const auto first = start(fiber->restart());
        const auto second = start(fiber->restart());
        turn();
        const auto third = start(fiber->restart());
        gate.complete();
        turn();

        CHECK((first->ended && second->ended && third->ended));
        CHECK(trace == Lines{"body", "body"});
    }

    // FIB-31
    TEST_CASE_FIXTURE(ContextFixture, "a pending fiber stays pending, a disposed one refuses") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}));
        await(fiber->restart());
        CHECK(fiber->state() == FiberState::pending);

        await(fiber->dispose());

        CHECK(code_of([&] { await(fiber->restart()); }) == "INACTIVE_EFFECT");
        CHECK(code_of([&] { await(fiber->update(1)); }) == "INACTIVE_EFFECT");
    }

    // FIB-31a
    TEST_CASE_FIXTURE(ContextFixture, "a disposal during a restart ends both without an error") {
        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            note("body");
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();

        const auto restart = start(fiber->restart());
        turn();
        const auto disposal = start(fiber->dispose());
        gate.complete();
        turn();

        CHECK((restart->ended && !restart->failure && disposal->ended));
        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace == Lines{"body"});
    }

    // FIB-31b
    TEST_CASE_FIXTURE(
        ContextFixture, "a provider that fails to come back leaves dependents pending"
    ) {
        bool is_broken = false;
        int loads = 0;
        const FiberPtr provider = root.plugin(plugin_of("prov", {}, [&](const Context& context) {
            context.provide(std::make_shared<Number>(1));
            if (is_broken) {
                throw std::runtime_error{"boom"};
            }
        }));
        const FiberPtr dependent =
            root.plugin(plugin_of("dep", {"number"}, [&](const Context&) { ++loads; }));
        turn();

        await(provider->restart());
        turn();
        CHECK(loads == 2);
        is_broken = true;
        CHECK(failure_of([&] { await(provider->restart()); }) == "boom");
        CHECK(dependent->state() == FiberState::pending);
        is_broken = false;
        await(provider->restart());
        turn();

        CHECK(loads == 3);
        CHECK(dependent->state() == FiberState::active);
    }

    // FIB-58
    TEST_CASE_FIXTURE(ContextFixture, "a restart of the root ends everything and keeps it usable") {
        root.provide(std::make_shared<Number>(1));
        const FiberPtr fiber = root.plugin(plugin_of("p"));
        turn();

        await(root.fiber()->restart());

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(!root.get<Number>());
        CHECK(root.fiber()->uid() == 0);
        root.provide(std::make_shared<Number>(2));
        CHECK(root.get<Number>()->value == 2);
    }
}
