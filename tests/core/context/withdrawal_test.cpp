#include "context_fixture.hpp"

#include <cordon/context/diagnosis.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

using Lines = std::vector<std::string>;

/// A provider with an undo, which needs `base`, and a dependent with a slow one.
class WithdrawalFixture : public ContextFixture {
public:
    WithdrawalFixture() {
        base = root.provide("base", std::make_shared<Number>(0));
        provider = root.plugin(plugin_of("provider", {"base"}, [this](const Context& context) {
            context.provide(std::make_shared<Number>(1));
            context.effect("undo", undo_of([this] { note("provider undone"); }));
        }));
        dependent = root.plugin(plugin_of("dependent", {"number"}, [this](const Context& context) {
            context.effect("slow", [gate = gate] { return wait_for(gate); });
        }));
        turn();
        CHECK(dependent->state() == FiberState::active);
    }

    /// `leave` makes the provider leave ACTIVE.
    void check_leaving(const std::function<void()>& leave) {
        leave();
        CHECK(provider->state() == FiberState::unloading);
        CHECK(dependent->state() == FiberState::unloading);
        turn();
        CHECK(provider->state() == FiberState::unloading);
        CHECK(trace.empty());
        gate.complete();
        turn();
        CHECK(trace == Lines{"provider undone"});
    }

    Completion gate{container.strand()};
    Effect base;
    FiberPtr provider;
    FiberPtr dependent;
};

TEST_SUITE("Context::provide(): what it is") {
    // SVC-1
    TEST_CASE_FIXTURE(ContextFixture, "an effect of the caller's fiber, in the caller's scope") {
        Effect effect;
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            effect = context.isolate("number", "inner").provide(std::make_shared<Number>(1));
        }));
        turn();
        const Context inner = root.isolate("number", "inner");

        CHECK(effect.label() == "ctx.provide(\"number\")");
        CHECK(inner.get<Number>()->value == 1);
        CHECK(!root.get<Number>());
        await(fiber->dispose());
        CHECK(!effect.is_active());
        CHECK(!inner.get<Number>());
    }

    // SVC-13, INJ-5
    TEST_CASE_FIXTURE(ContextFixture, "what an active fiber provides is visible at once") {
        const FiberPtr dependent = root.plugin(plugin_of("dependent", {"number"}));
        const FiberPtr provider = root.plugin(plugin_of("provider"));
        turn();

        const Effect service = provider->context().provide(std::make_shared<Number>(1));
        CHECK(root.get<Number>()->value == 1);
        CHECK(dependent->state() == FiberState::loading);
        turn();
        service.request_dispose();
        CHECK(dependent->state() == FiberState::unloading);
        turn();
        root.provide(std::make_shared<Number>(2));
        CHECK(dependent->state() == FiberState::loading);
    }

    // SVC-10
    TEST_CASE_FIXTURE(ContextFixture, "a name stays known as a service") {
        root.provide("language", nullptr).request_dispose();
        const FiberPtr fiber = root.plugin(plugin_of("reader", {"langauge"}));
        turn();

        const auto waiting = waiting_fibers(root);
        REQUIRE(waiting.size() == 1);
        CHECK(waiting[0].missing[0].near_name == "language");
        CHECK(!root.find("language"));
    }

    // CTX-22
    TEST_CASE_FIXTURE(ContextFixture, "a service from deep inside is there for everybody") {
        const FiberPtr far = root.plugin(plugin_of("far", {"number"}));
        root.plugin(plugin_of("outer", {}, [](const Context& context) {
            context.plugin(plugin_of("middle", {}, [](const Context& inner) {
                inner.plugin(plugin_of("inmost", {}, [](const Context& deep) {
                    deep.provide(std::make_shared<Number>(1));
                }));
            }));
        }));
        turn();

        CHECK(root.get<Number>()->value == 1);
        CHECK(far->state() == FiberState::active);
    }
}

TEST_SUITE("Context::use()") {
    // SVC-19
    TEST_CASE_FIXTURE(ContextFixture, "gives what an ancestor provides, not what a sibling does") {
        const auto reading = [&](std::string who) {
            return plugin_of(who, {}, [this, who](const Context& context) {
                std::string text;
                const std::string problem =
                    failure_of([&] { text = std::to_string(context.use<Number>()->value); });
                note("{} {}", who, problem.empty() ? text : problem);
            });
        };
        root.plugin(plugin_of("provider", {}, [&](const Context& context) {
            context.provide(std::make_shared<Number>(1));
            context.plugin(plugin_of("child", {}, [&](const Context& inner) {
                inner.plugin(reading("grandchild"));
            }));
        }));
        turn();
        root.plugin(reading("sibling"));
        turn();

        CHECK(
            trace == Lines{"grandchild 1", "sibling cannot get property \"number\" without inject"}
        );
    }

    // SVC-15
    TEST_CASE_FIXTURE(ContextFixture, "a provider keeps what it withdrew while others unload") {
        Completion gate{container.strand()};
        Effect service;
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                service = context.provide(std::make_shared<Number>(1));
            }));
        root.plugin(plugin_of("dependent", {"number"}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();
        const Context own = provider->context();

        service.request_dispose();
        turn();
        CHECK(own.use<Number>()->value == 1);
        CHECK(!own.get<Number>());
        gate.complete();
        turn();

        CHECK(code_of([&] { (void)own.use<Number>(); }) == "SERVICE_UNAVAILABLE");
    }

    // SVC-14, SVC-15
    TEST_CASE_FIXTURE(ContextFixture, "of two that it provided, a provider gets the later one") {
        Completion gate{container.strand()};
        const FiberPtr provider = root.plugin(plugin_of("provider"));
        root.plugin(plugin_of("dependent", {"number"}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();
        const Context own = provider->context();
        const Effect first = own.provide(std::make_shared<Number>(1));
        turn();

        first.request_dispose();
        own.provide(std::make_shared<Number>(2));
        CHECK(own.use<Number>()->value == 2);
        gate.complete();
        turn();

        CHECK(own.use<Number>()->value == 2);
        CHECK(errors().empty());
    }

    // SVC-16, FIB-54
    TEST_CASE_FIXTURE(ContextFixture, "the undos of a provider may still use what it provided") {
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                context.effect("undo", undo_of([this, context] {
                                   note("{}", context.use<Number>()->value);
                               }));
                context.provide(std::make_shared<Number>(1));
            }));
        turn();
        await(provider->dispose());

        CHECK(trace == Lines{"1"});
        CHECK(code_of([&] { (void)provider->context().use<Number>(); }) == "SERVICE_UNAVAILABLE");
    }
}

TEST_SUITE("Context::provide(): withdrawal") {
    // SVC-27, SVC-28
    TEST_CASE_FIXTURE(WithdrawalFixture, "a disposal takes dependents along before any undo") {
        const auto disposal = start(provider->dispose());
        check_leaving([&] { turn(); });

        CHECK(disposal->ended);
        CHECK(provider->state() == FiberState::disposed);
        CHECK(dependent->state() == FiberState::pending);
    }

    // SVC-28
    TEST_CASE_FIXTURE(WithdrawalFixture, "a disposal does not end before the dependents have") {
        const auto disposal = start(provider->dispose());
        turn();
        CHECK(!disposal->ended);
        CHECK(provider->state() == FiberState::unloading);
        gate.complete();
        turn();

        CHECK(disposal->ended);
    }

    // SVC-27
    TEST_CASE_FIXTURE(WithdrawalFixture, "a restart takes dependents along before any undo") {
        check_leaving([&] { provider->request_restart(); });

        CHECK(provider->state() == FiberState::active);
        CHECK(dependent->state() == FiberState::active);
    }

    // SVC-27
    TEST_CASE_FIXTURE(WithdrawalFixture, "a lost service takes dependents of dependents along") {
        check_leaving([&] { base.request_dispose(); });

        CHECK(provider->state() == FiberState::pending);
        CHECK(dependent->state() == FiberState::pending);
    }

    // SVC-29
    TEST_CASE_FIXTURE(WithdrawalFixture, "a cascade settles from its end") {
        observe();
        provider->request_dispose();
        CHECK(
            trace ==
            Lines{
                "plugin(provider uid=none ACTIVE)",
                "provider:ACTIVE->UNLOADING",
                "dependent:ACTIVE->UNLOADING",
                "service(number=value)"}
        );
        gate.complete();
        take_trace();
        turn();

        CHECK(
            trace ==
            Lines{
                "service(number=absent)",
                "dependent:UNLOADING->PENDING",
                "provider undone",
                "provider:UNLOADING->DISPOSED"}
        );
    }

    // SVC-33
    TEST_CASE_FIXTURE(ContextFixture, "a replacement within one turn is one unload and one load") {
        const Effect first = root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context& context) {
            note("load {}", context.use<Number>()->value);
            context.effect("undo", undo_of([&] { note("unload"); }));
        }));
        turn();

        first.request_dispose();
        root.provide(std::make_shared<Number>(2));
        turn();
        turn();

        CHECK(trace == Lines{"load 1", "unload", "load 2"});
    }

    TEST_CASE_FIXTURE(ContextFixture, "what was withdrawn by hand is not announced again") {
        Completion gate{container.strand()};
        Effect service;
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                service = context.provide(std::make_shared<Number>(1));
            }));
        root.plugin(plugin_of("dependent", {"number"}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
        }));
        turn();
        service.request_dispose();
        observe();

        const auto disposal = start(provider->dispose());
        turn();
        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(std::count(trace.begin(), trace.end(), "service(number=absent)") == 0);
        CHECK(std::count(trace.begin(), trace.end(), "provider:UNLOADING->DISPOSED") == 1);
    }
}

}  // namespace
