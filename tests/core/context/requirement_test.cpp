#include "context_fixture.hpp"

#include <cordon/context/diagnosis.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::testing;

using Lines = std::vector<std::string>;

PluginPtr declared_provider(const std::string& name, Inject inject, const std::string& service) {
    PluginDescriptor descriptor = *plugin_of(name, std::move(inject), [service](const Context& c) {
        c.provide(service, std::make_shared<Number>(1));
    });
    descriptor.provides = {service};
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

TEST_SUITE("Inject") {
    // INJ-2
    TEST_CASE_FIXTURE(ContextFixture, "every name is required, whatever it is called") {
        const FiberPtr fiber = root.plugin(
            plugin_of("p", {{"required", Object{{"a", true}}}, {"optional", Object{{"b", true}}}})
        );
        turn();
        CHECK(fiber->missing() == Lines{"required", "optional"});

        root.provide("required", std::make_shared<Number>(1));
        turn();
        CHECK(fiber->state() == FiberState::pending);
        CHECK(fiber->missing() == Lines{"optional"});
    }

    // INJ-2, PIT-19
    TEST_CASE_FIXTURE(ContextFixture, "what is optional is looked up where it is used") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            note("{}", context.get<Number>() ? "with" : "without");
        }));
        turn();
        root.provide(std::make_shared<Number>(1));
        turn();
        await(fiber->restart());

        CHECK(trace == Lines{"without", "with"});
    }

    // INJ-3
    TEST_CASE_FIXTURE(ContextFixture, "names are those of the scope where the fiber is applied") {
        const Context inner = root.isolate("number", "inner");
        const FiberPtr outside = root.plugin(plugin_of("outside", {"number"}));
        const FiberPtr inside = inner.plugin(plugin_of("inside", {"number"}));
        inner.provide(std::make_shared<Number>(1));
        turn();

        CHECK(inside->state() == FiberState::active);
        CHECK(outside->state() == FiberState::pending);
    }

    // INJ-9
    TEST_CASE_FIXTURE(ContextFixture, "an observer of the creation may add requirements") {
        root.on<PluginEvent>([](const FiberPtr& fiber) {
            if (fiber->uid() && fiber->name() == "p") {
                fiber->require({"late", Object{{"depth", 2}}});
                fiber->require("late");
            }
        });
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}, [&](const Context& context) {
            note(
                "{} {}",
                context.require("late").as<Number>()->value,
                context.config_for("late").find("depth") != nullptr
            );
        }));
        root.provide(std::make_shared<Number>(1));
        turn();
        CHECK(fiber->state() == FiberState::pending);
        CHECK(fiber->missing() == Lines{"late"});

        const Effect late = root.provide("late", std::make_shared<Number>(2));
        turn();
        CHECK(fiber->required() == Lines{"number", "late"});
        CHECK(trace == Lines{"2 true"});

        late.request_dispose();
        turn();
        CHECK(fiber->state() == FiberState::pending);
    }

    // INJ-10
    TEST_CASE_FIXTURE(ContextFixture, "what a fiber requires is fixed once it has been created") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {"number"}));

        CHECK(code_of([&] { fiber->require("late"); }) == "REQUIREMENTS_FIXED");
        turn();
        CHECK(code_of([&] { fiber->require("late"); }) == "REQUIREMENTS_FIXED");
        CHECK(fiber->required() == Lines{"number"});
    }

    // INJ-11, DIF-27
    TEST_CASE_FIXTURE(ContextFixture, "DIF-27: those who need each other wait and are named") {
        const FiberPtr a = root.plugin(declared_provider("a", {"sb"}, "sa"));
        const FiberPtr b = root.plugin(declared_provider("b", {"sa"}, "sb"));
        const FiberPtr self = root.plugin(declared_provider("self", {"own"}, "own"));
        turn();

        for (const FiberPtr& fiber : {a, b, self}) {
            CHECK(fiber->state() == FiberState::pending);
        }
        const auto waiting = waiting_fibers(root);
        REQUIRE(waiting.size() == 3);
        CHECK((waiting[0].cycle == std::vector<FiberPtr>{a, b, a}));
        CHECK((waiting[1].cycle == std::vector<FiberPtr>{b, a, b}));
        CHECK((waiting[2].cycle == std::vector<FiberPtr>{self, self}));

        // One from elsewhere breaks the circle.
        root.provide("sa", std::make_shared<Number>(1));
        turn();
        CHECK(b->state() == FiberState::active);
    }

    // INJ-13, PIT-27
    TEST_CASE("who waits for several starts once, in whatever order they arrive") {
        Lines order{"a", "b", "c"};
        do {
            CAPTURE(order);
            ContextFixture test;
            int loads = 0;
            const Inject inject{"a", "b", "c"};
            test.root.plugin(plugin_of("p", inject, [&](const Context&) { ++loads; }));
            test.root.plugin(plugin_of("q", inject, [&](const Context&) { ++loads; }));
            for (const std::string& service : order) {
                CHECK(loads == 0);
                // A slow one, whose services come together with others.
                test.root.plugin(declared_provider(service, {}, service));
                if (service != order[1]) {
                    test.turn();
                }
            }
            test.turn();
            CHECK(loads == 2);
        } while (std::next_permutation(order.begin(), order.end()));
    }

    // INJ-14
    TEST_CASE("a pending fiber does not keep the host's loop alive") {
        boost::asio::io_context io;
        Container container{io.get_executor()};
        const FiberPtr fiber = container.root().plugin(plugin_of("p", {"never"}));
        io.poll();

        CHECK(fiber->state() == FiberState::pending);
        CHECK(io.stopped());  // which is when io.run() returns
        boost::asio::co_spawn(container.strand(), container.shutdown(), [](std::exception_ptr) {});
        io.restart();
        io.poll();
    }
}

}  // namespace
