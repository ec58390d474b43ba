#include "context_fixture.hpp"

#include <cordon/context/make_service_plugin.hpp>

#include <boost/describe.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

using Lines = std::vector<std::string>;

struct CounterConfig {
    int first = 1;
    bool fails = false;
};

BOOST_DESCRIBE_STRUCT(CounterConfig, (), (first, fails))

ContextFixture* current = nullptr;

class Counter final : public Number {
public:
    Counter(Context context, CounterConfig config)
        : Number(config.first), context_(std::move(context)), fails_(config.fails) {
        current->note("made");
    }

    Task<> start() {
        const ServiceHandle<Number> self = context_.use<Number>();
        current->note("start, own {}, get {}", self->value, bool(context_.get<Number>()));
        context_.effect("stop", undo_of([] { current->note("stop"); }));
        const Completion gate = *opened;
        co_await gate.wait();
        if (fails_) {
            throw std::runtime_error{"no port left"};
        }
        current->note("started");
    }

    /// For those who say so.
    [[nodiscard]] bool available_to(const Context& dependent) const {
        return dependent.config_for<Number>().find("closed") == nullptr;
    }

    static inline const Completion* opened = nullptr;

private:
    Context context_;
    bool fails_;
};

class ServicePluginFixture : public ContextFixture {
public:
    ServicePluginFixture() {
        current = this;
        Counter::opened = &gate;
        dependent = root.plugin(plugin_of("dependent", {"number"}, [this](const Context& context) {
            note("dependent with {}", context.use<Number>()->value);
        }));
    }

    FiberPtr apply(Object config) {
        const FiberPtr fiber = root.plugin(
            make_service_plugin<Counter, CounterConfig>({.name = "counter"}), std::move(config)
        );
        turn();
        return fiber;
    }

    const Completion gate{container.strand()};
    FiberPtr dependent;
};

TEST_SUITE("make_service_plugin()") {
    // SVC-45, SVC-14
    TEST_CASE_FIXTURE(
        ServicePluginFixture, "is in its slot before it is started, and visible when it is"
    ) {
        const FiberPtr fiber = apply({{"first", 7}});
        CHECK(trace == Lines{"made", "start, own 7, get false"});
        CHECK(code_of([&] { root.provide(std::make_shared<Number>(2)); }) == "SERVICE_EXISTS");
        CHECK(dependent->state() == FiberState::pending);
        take_trace();

        Completion{gate}.complete();
        turn();

        CHECK(trace == Lines{"started", "dependent with 7"});
        CHECK(root.get<Number>()->value == 7);
        CHECK(fiber->plugin()->provides == Lines{"number"});
        await(fiber->dispose());
        CHECK(trace.back() == "stop");
        CHECK(dependent->state() == FiberState::pending);
    }

    // SVC-46, SVC-12
    TEST_CASE_FIXTURE(ServicePluginFixture, "a start that fails makes the plugin fail") {
        const FiberPtr fiber = apply({{"fails", true}});
        take_trace();
        Completion{gate}.complete();
        turn();

        CHECK(fiber->state() == FiberState::failed);
        CHECK(errors() == Lines{"counter: no port left"});
        CHECK(trace == Lines{"stop"});
        CHECK(!root.use<Number>());
    }

    // SVC-46, DIF-5
    TEST_CASE_FIXTURE(ServicePluginFixture, "a disposal cancels the start and waits for it") {
        const FiberPtr fiber = apply({});
        take_trace();

        await(fiber->dispose());

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace == Lines{"stop"});
        CHECK(errors().empty());
    }

    // SVC-45, SVC-41
    TEST_CASE_FIXTURE(ServicePluginFixture, "its condition decides who may have it") {
        const Context closed = root.intercept<Number>({{"closed", true}});
        const FiberPtr outsider = closed.plugin(plugin_of("outsider", {"number"}));
        Completion{gate}.complete();
        apply({});

        CHECK(dependent->state() == FiberState::active);
        CHECK(outsider->state() == FiberState::pending);
    }

    TEST_CASE_FIXTURE(ServicePluginFixture, "each load makes a new object") {
        Completion{gate}.complete();
        const FiberPtr fiber = apply({{"first", 1}});
        const Number* const before = &*root.get<Number>();
        const ServiceHandle<Number> kept = root.get<Number>();
        Object changed{{"first", 2}};
        await(fiber->update(std::move(changed)));
        turn();

        CHECK(&*root.get<Number>() != before);
        CHECK(root.get<Number>()->value == 2);
        CHECK(kept->value == 1);
        CHECK(trace.back() == "dependent with 2");
    }
}

}  // namespace
