#include "context_fixture.hpp"

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

class Word : public Service {
public:
    static constexpr std::string_view service_name = "number";
};

PluginPtr provider_of(std::string name, int number) {
    return plugin_of(std::move(name), {}, [number](const Context& context) {
        context.provide(std::make_shared<Number>(number));
    });
}

}  // namespace

TEST_SUITE("Context::provide()") {
    // SVC-2, SVC-3
    TEST_CASE_FIXTURE(
        ContextFixture, "a slot has one provider, the second one fails and is rolled back"
    ) {
        root.plugin(provider_of("first", 1));
        const FiberPtr dependent = root.plugin(plugin_of("dependent", {"number"}));
        const FiberPtr second = root.plugin(provider_of("second", 2));
        turn();

        CHECK(failure_of([&] {
                  await(second->settled());
              }) == "service \"number\" has been registered at <first>");
        CHECK(code_of([&] { await(second->settled()); }) == "SERVICE_EXISTS");
        CHECK(root.get<Number>()->value == 1);
        CHECK(dependent->state() == FiberState::active);
    }

    TEST_CASE_FIXTURE(ContextFixture, "the same fiber cannot provide twice either") {
        root.provide(std::make_shared<Number>(1));

        CHECK(failure_of([&] {
                  root.provide(std::make_shared<Number>(2));
              }) == "service \"number\" has been registered at <root>");
    }

    // SVC-11, SVC-12
    TEST_CASE_FIXTURE(ContextFixture, "a service is invisible until its provider is active") {
        Completion gate{container.strand()};

        struct Body {
            static Task<> run(Context context, Completion opened) {
                context.provide(std::make_shared<Number>(1));
                co_await opened.wait();
                throw std::runtime_error{"boom"};
            }
        };

        root.plugin(plugin_of_task("p", {}, [gate](Context context) {
            return Body::run(std::move(context), gate);
        }));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context&) { note("body"); }));
        turn();
        CHECK(!root.get<Number>());
        gate.complete();
        turn();

        CHECK(!root.get<Number>());
        CHECK(trace.empty());
    }

    // SVC-25, SVC-26, SVC-30
    TEST_CASE_FIXTURE(
        ContextFixture, "a withdrawal empties the slot at once and waits for dependents"
    ) {
        Completion gate{container.strand()};
        const Effect service = root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("dependent", {"number"}, [gate](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
            context.effect("broken", []() -> Task<> { throw std::runtime_error{"stuck"}; });
        }));
        turn();

        const auto first = start(service.dispose());
        const auto second = start(service.dispose());
        turn();
        CHECK(!root.get<Number>());
        CHECK((!first->ended && !second->ended));
        gate.complete();
        turn();

        CHECK((first->ended && !first->failure));
        CHECK((second->ended && !second->failure));
    }

    // SVC-34, SVC-36
    TEST_CASE_FIXTURE(
        ContextFixture, "services that change in one turn cost a dependent one reload"
    ) {
        int loads = 0;
        int others = 0;
        const Effect a = root.provide("a", std::make_shared<Number>(1));
        const Effect b = root.provide("b", std::make_shared<Number>(1));
        root.plugin(plugin_of("dependent", {"a", "b"}, [&](const Context&) { ++loads; }));
        root.plugin(plugin_of("other", {}, [&](const Context&) { ++others; }));
        turn();

        a.request_dispose();
        b.request_dispose();
        root.provide("b", std::make_shared<Number>(2));
        root.provide("a", std::make_shared<Number>(2));
        turn();

        CHECK(loads == 2);
        CHECK(others == 1);
    }

    // SVC-37
    TEST_CASE_FIXTURE(
        ContextFixture, "dependents are told in the order in which their plugins came"
    ) {
        const auto noting = [&](std::string name) {
            return plugin_of(name, {"number"}, [this, name](const Context&) { note("{}", name); });
        };
        const PluginPtr first = noting("first");
        const PluginPtr second = noting("second");
        root.plugin(first);
        root.plugin(second);
        root.plugin(first);

        root.provide(std::make_shared<Number>(1));
        turn();

        CHECK(trace == Lines{"first", "first", "second"});
    }
}

TEST_SUITE("Context::get() and use()") {
    // SVC-5, SVC-6, SVC-14, SVC-18
    TEST_CASE_FIXTURE(ContextFixture, "a provider reads its own service before anybody else can") {
        root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.provide(std::make_shared<Number>(1));
            note("use {}, get {}", context.use<Number>()->value, bool(context.get<Number>()));
        }));
        turn();

        CHECK(trace == Lines{"use 1, get false"});
        CHECK(root.get<Number>()->value == 1);
    }

    // SVC-18..SVC-21, PIT-19, field-140
    TEST_CASE_FIXTURE(
        ContextFixture, "use() gives what was declared here or above, and nothing else"
    ) {
        root.plugin(provider_of("provider", 1));
        turn();
        const FiberPtr pending = root.plugin(plugin_of("pending", {"number", "missing"}));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context& context) {
            context.plugin(plugin_of("child", {}, [&](const Context& inner) {
                note("child {}", inner.use<Number>()->value);
            }));
        }));
        root.plugin(plugin_of("undeclared", {}, [&](const Context& context) {
            note("{}", failure_of([&] { (void)context.use<Number>(); }));
            note("get {}", context.get<Number>()->value);
            note("optional {}", bool(context.find("nobody")));
        }));
        turn();

        CHECK(
            trace ==
            Lines{
                "cannot get property \"number\" without inject",
                "get 1",
                "optional false",
                "child 1",
            }
        );
        CHECK(failure_of([&] {
                  (void)pending->context().use<Number>();
              }) == "cannot get required service \"number\" in inactive context");
        CHECK(code_of([&] { (void)pending->context().use<Number>(); }) == "SERVICE_UNAVAILABLE");
    }

    // SVC-20
    TEST_CASE_FIXTURE(ContextFixture, "use() at the root gives every filled slot") {
        CHECK(!root.use<Number>());
        const Effect service = root.provide(std::make_shared<Number>(1));

        CHECK(root.use<Number>()->value == 1);
    }

    // SVC-16, SVC-17, SVC-32
    TEST_CASE_FIXTURE(ContextFixture, "a load keeps the service that it was started with") {
        const Effect first = root.provide(std::make_shared<Number>(1));
        root.plugin(plugin_of("dependent", {"number"}, [&](const Context& context) {
            context.effect("undo", undo_of([this, context] {
                               note("use {}", context.use<Number>()->value);
                               const auto now = context.get<Number>();
                               note("get {}", now ? now->value : 0);
                           }));
        }));
        turn();

        first.request_dispose();
        root.provide(std::make_shared<Number>(2));
        turn();

        CHECK(trace == Lines{"use 1", "get 2"});
    }

    // SVC-4
    TEST_CASE_FIXTURE(ContextFixture, "a slot may be filled with nothing") {
        root.provide("empty", nullptr);
        const FiberPtr fiber = root.plugin(plugin_of("p", {"empty"}, [&](const Context& context) {
            note("{}", bool(context.require("empty")));
        }));
        turn();

        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"false"});
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "a service of another type than its name promises is an error"
    ) {
        root.provide("number", std::make_shared<Word>());

        CHECK(code_of([&] { (void)root.get<Number>(); }) == "SERVICE_TYPE");
        CHECK(root.get<Word>());
    }
}

TEST_SUITE("ServiceHandle") {
    // DIF-17
    TEST_CASE_FIXTURE(ContextFixture, "who holds a service that is gone is named") {
        ServiceHandle<Number> first;
        ServiceHandle<Number> second;
        const FiberPtr provider = root.plugin(provider_of("provider", 1));
        turn();
        root.plugin(plugin_of("keeper", {}, [&](const Context& context) {
            first = context.get<Number>();
            second = first;
        }));
        turn();

        await(provider->dispose());

        REQUIRE(logs.size() == 1);
        CHECK(logs[0].level == LogLevel::warn);
        CHECK(logs[0].name == "provider");
        CHECK(
            logs[0].message ==
            "service \"number\" was withdrawn but is still held by keeper (2 handles)"
        );
        CHECK(first->value == 1);
    }

    // DIF-17
    TEST_CASE_FIXTURE(ContextFixture, "of many who had it, those who hold it still are named") {
        std::vector<ServiceHandle<Number>> kept;
        const FiberPtr provider = root.plugin(provider_of("provider", 1));
        turn();
        for (int number = 0; number < 100; ++number) {
            const bool keeps = number % 40 == 0;
            const auto name = fmt::format("user-{}", number);
            const FiberPtr user = root.plugin(plugin_of(name, {}, [&](const Context& context) {
                const ServiceHandle<Number> handle = context.get<Number>();
                if (keeps) {
                    kept.push_back(handle);
                }
            }));
            await(user->settled());
            await(user->dispose());
        }

        await(provider->dispose());

        REQUIRE(logs.size() == 1);
        CHECK(
            logs[0].message ==
            "service \"number\" was withdrawn but is still held by user-0, user-40, user-80"
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "who lets go in time is not") {
        const FiberPtr provider = root.plugin(plugin_of("provider", {}, [](const Context& context) {
            context.provide(std::make_shared<Number>(1));
            const auto own = std::make_shared<ServiceHandle<Number>>(context.use<Number>());
            context.effect("hold", [own]() -> Task<> { return undo_of([] {})(); });
        }));
        root.plugin(plugin_of("dependent", {"number"}, [](const Context& context) {
            const auto held = std::make_shared<ServiceHandle<Number>>(context.use<Number>());
            context.effect("hold", [held]() -> Task<> { return undo_of([] {})(); });
        }));
        turn();

        await(provider->dispose());

        CHECK(logs.empty());
    }
}
