#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

PluginPtr provider_of(int number) {
    return plugin_of("provider", {}, [number](const Context& context) {
        context.provide(std::make_shared<Number>(number));
    });
}

}  // namespace

TEST_SUITE("Context::isolate()") {
    // CTX-8, CTX-10, CTX-11
    TEST_CASE_FIXTURE(ContextFixture, "gives the name a slot of its own and no other") {
        const Context inner = root.isolate("number");
        root.provide(std::make_shared<Number>(1));
        root.provide("other", std::make_shared<Number>(3));
        const FiberPtr waiting = inner.plugin(plugin_of("waiting", {"number", "other"}));
        turn();
        CHECK(waiting->missing() == Lines{"number"});
        CHECK(!inner.get<Number>());

        inner.provide(std::make_shared<Number>(2));
        turn();

        CHECK(waiting->state() == FiberState::active);
        CHECK(waiting->context().use<Number>()->value == 2);
        CHECK(root.get<Number>()->value == 1);
        CHECK(inner.fiber() == root.fiber());
    }

    // CTX-9, CTX-12
    TEST_CASE_FIXTURE(ContextFixture, "shares a slot between contexts of one label") {
        const Context left = root.isolate("number", "shared");
        const Context right = root.isolate("other").isolate("number", "shared");
        const Context below = right.isolate("number");
        left.provide(std::make_shared<Number>(1));

        CHECK(right.get<Number>()->value == 1);
        CHECK(!below.get<Number>());
        CHECK(!root.get<Number>());
    }

    // CTX-14, PIT-12
    TEST_CASE_FIXTURE(ContextFixture, "DIF-9: one label for two names makes two slots") {
        const Context inner = root.isolate("number", "x").isolate("other", "x");
        inner.provide(std::make_shared<Number>(1));
        inner.provide("other", std::make_shared<Number>(2));

        CHECK(inner.get<Number>()->value == 1);
    }

    // SVC-24
    TEST_CASE_FIXTURE(ContextFixture, "DIF-9: a fiber keeps one name in two scopes apart") {
        root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("p", {"number"}, [&](const Context& context) {
            const Context inner = context.isolate("number");
            note("{}", failure_of([&] { (void)inner.use<Number>(); }));
            inner.provide(std::make_shared<Number>(2));
            note("{} {}", context.use<Number>()->value, inner.use<Number>()->value);
        }));
        turn();

        CHECK(trace == Lines{"cannot get property \"number\" without inject", "1 2"});
    }

    // SVC-23
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-9: a child inside a scope reads what its parent injected there"
    ) {
        const Context inner = root.isolate("number");
        inner.provide(std::make_shared<Number>(1));
        inner.plugin(plugin_of("parent", {"number"}, [&](const Context& context) {
            context.plugin(plugin_of("child", {}, [&](const Context& child) {
                note("child {}", child.use<Number>()->value);
            }));
            context.isolate("number").plugin(plugin_of("stranger", {}, [&](const Context& child) {
                note("{}", failure_of([&] { (void)child.use<Number>(); }));
            }));
        }));
        turn();

        CHECK(trace == Lines{"child 1", "cannot get property \"number\" without inject"});
    }

    // SVC-44
    TEST_CASE_FIXTURE(ContextFixture, "DIF-10: dependents in the scope of the service are woken") {
        const Context inner = root.isolate("number", "realm");
        const FiberPtr inside = inner.plugin(plugin_of("inside", {"number"}));
        root.plugin(plugin_of("p", {}, [](const Context& context) {
            context.isolate("number", "realm").provide(std::make_shared<Number>(1));
        }));
        turn();

        CHECK(inside->state() == FiberState::active);
    }

    // field-149
    TEST_CASE_FIXTURE(ContextFixture, "two realms do not disturb each other") {
        const Context left = root.isolate("number");
        const Context right = root.isolate("number");
        const FiberPtr left_provider = left.plugin(provider_of(1));
        right.plugin(provider_of(2));
        int left_loads = 0;
        int right_loads = 0;
        left.plugin(plugin_of("l", {"number"}, [&](const Context&) { ++left_loads; }));
        right.plugin(plugin_of("r", {"number"}, [&](const Context&) { ++right_loads; }));
        turn();

        await(left_provider->restart());
        turn();

        CHECK(left_loads == 2);
        CHECK(right_loads == 1);
        CHECK(left.get<Number>()->value == 1);
        CHECK(right.get<Number>()->value == 2);
    }

    // IEV-4
    TEST_CASE_FIXTURE(ContextFixture, "announcements stay in their scope") {
        const Context inner = root.isolate("number");
        root.on<ServiceEvent>([&](const std::string& name, Service*) { note("outer {}", name); });
        inner.on<ServiceEvent>([&](const std::string& name, Service*) { note("inner {}", name); });

        inner.provide(std::make_shared<Number>(1));
        root.provide("other", std::make_shared<Number>(1));

        CHECK(trace == Lines{"inner number", "outer other", "inner other"});
    }
}
