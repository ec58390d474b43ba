#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// A dependent that notes its loads and unloads.
class AvailabilityFixture : public ContextFixture {
public:
    PluginPtr dependent(const std::string& name) {
        return plugin_of(name, {"number"}, [this, name](const Context& context) {
            note("{} starts", name);
            context.effect("end", undo_of([this, name] { note("{} ends", name); }));
        });
    }

    void provide(std::function<bool(const Context&)> available) {
        root.provide(std::make_shared<Number>(1), ProvideOptions{std::move(available)});
    }
};

}  // namespace

TEST_SUITE("ProvideOptions::available") {
    // SVC-38, SVC-39, SVC-42, SVC-7
    TEST_CASE_FIXTURE(AvailabilityFixture, "is asked at creation and at each notification only") {
        bool is_open = false;
        int asked = 0;
        provide([&](const Context&) {
            ++asked;
            return is_open;
        });
        const FiberPtr fiber = root.plugin(dependent("d"));
        turn();
        CHECK(fiber->state() == FiberState::pending);
        CHECK(fiber->missing() == Lines{"number"});
        CHECK(root.get<Number>());
        CHECK(asked == 1);

        is_open = true;
        turn();
        CHECK(trace.empty());
        CHECK(root.notify({"number"}) == std::vector<FiberPtr>{fiber});
        turn();
        CHECK(take_trace() == Lines{"d starts"});
        CHECK(asked == 2);

        is_open = false;
        root.notify({"number"});
        turn();
        CHECK(take_trace() == Lines{"d ends"});
        CHECK(fiber->state() == FiberState::pending);
        CHECK(asked == 3);
    }

    // SVC-40
    TEST_CASE_FIXTURE(
        AvailabilityFixture, "what it throws is logged by the provider and means no"
    ) {
        root.plugin(plugin_of("provider", {}, [](const Context& context) {
            context.provide(std::make_shared<Number>(1), ProvideOptions{[](const Context&) -> bool {
                                throw std::runtime_error{"broken"};
                            }});
        }));
        const FiberPtr fiber = root.plugin(dependent("d"));
        turn();

        CHECK(fiber->state() == FiberState::pending);
        CHECK(
            errors() ==
            Lines{"provider: the condition of service \"number\" failed for 'd': broken"}
        );
    }

    // SVC-41
    TEST_CASE_FIXTURE(AvailabilityFixture, "tells dependents apart by what they ask for") {
        provide([](const Context& context) {
            return context.config_for<Number>().find("early") != nullptr;
        });
        root.plugin(dependent("late"));
        root.intercept<Number>(Object{{"early", true}}).plugin(dependent("early"));
        PluginOptions options;
        options.inject = {{"number", Object{{"early", true}}}};
        root.plugin(dependent("by inject"), {}, options);
        turn();

        CHECK(trace == Lines{"early starts", "by inject starts"});
    }
}

TEST_SUITE("Context::notify()") {
    // SVC-43, IEV-4, IEV-5
    TEST_CASE_FIXTURE(AvailabilityFixture, "reaches those in scope once, then tells of each name") {
        provide(nullptr);
        const FiberPtr first = root.plugin(dependent("first"));
        const FiberPtr both =
            root.plugin(plugin_of("both", {"number", "other"}, [](const Context&) {}));
        root.isolate("number").plugin(dependent("elsewhere"));
        turn();
        take_trace();
        observe();

        const auto told = root.notify({"other", "number", "other"});
        turn();

        CHECK(told == std::vector<FiberPtr>{first, both});
        CHECK(trace == Lines{"service(other=absent)", "service(number=value)"});
    }

    // DIF-28, FIB-41
    TEST_CASE_FIXTURE(AvailabilityFixture, "DIF-28: does not try a failed fiber again") {
        provide(nullptr);
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}, [&](const Context&) {
            note("tries");
            throw std::runtime_error{"boom"};
        }));
        turn();

        root.notify({"number"});
        turn();

        CHECK(trace == Lines{"tries"});
        CHECK(fiber->state() == FiberState::failed);
    }
}

TEST_SUITE("Context::set()") {
    // SVC-4, SVC-9
    TEST_CASE_FIXTURE(AvailabilityFixture, "dependents see the new value when they look next") {
        root.provide("number", nullptr);
        const FiberPtr fiber = root.plugin(dependent("d"));
        turn();
        CHECK(!fiber->context().use<Number>());

        root.set(std::make_shared<Number>(2));
        turn();

        CHECK(fiber->context().use<Number>()->value == 2);
        CHECK(trace == Lines{"d starts"});
    }

    // SVC-8, SVC-22
    TEST_CASE_FIXTURE(AvailabilityFixture, "is for the provider only") {
        const FiberPtr other = root.plugin(plugin_of("other"));
        turn();
        const auto set_from = [&](const Context& context) {
            return failure_of([&] { context.set(std::make_shared<Number>(2)); });
        };
        CHECK(set_from(root) == "cannot set property \"number\" without provide");
        CHECK(set_from(other->context()) == "cannot set property \"number\" without provide");

        provide(nullptr);
        CHECK(set_from(other->context()) == "cannot set property \"number\" in multiple fibers");
        CHECK(root.get<Number>()->value == 1);
    }
}
