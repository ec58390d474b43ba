#include "context_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

struct Said {
    static constexpr std::string_view name = "said";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string&);
};

struct Renamed {
    static constexpr std::string_view name = "renamed";
    static constexpr Dispatch mode = Dispatch::bail;
    using Signature = std::optional<std::string>(const std::string&);
};

/// Another event that calls itself as `Said` does.
struct Impostor {
    static constexpr std::string_view name = "said";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(int);
};

}  // namespace

TEST_SUITE("Context::on() and emit()") {
    // EVT-2, EVT-3, EVT-12
    TEST_CASE_FIXTURE(ContextFixture, "calls in the order of registration, prepended ones first") {
        const auto listen = [&](std::string name, bool is_first) {
            root.on<Said>(
                [this, name](const std::string& text) { note("{} {}", name, text); },
                ListenerOptions{is_first}
            );
        };
        listen("a", false);
        listen("b", true);
        listen("c", false);
        listen("d", true);

        root.isolate("x").emit<Said>("hi");

        CHECK(trace == Lines{"d hi", "b hi", "a hi", "c hi"});
    }

    // EVT-15, DIF-32
    TEST_CASE_FIXTURE(ContextFixture, "the first error ends a dispatch and comes out as an Error") {
        root.on<Said>([](const std::string&) { throw 7; });
        root.on<Said>([&](const std::string&) { note("second"); });

        CHECK_THROWS_WITH_AS(root.emit<Said>("hi"), "7", Error);
        CHECK(trace.empty());
    }

    // EVT-9, PIT-23
    TEST_CASE_FIXTURE(
        ContextFixture, "DIF-8: a removed listener is skipped at once, a new one waits"
    ) {
        Effect second;
        root.on<Said>([&](const std::string&) {
            note("first");
            second.request_dispose();
            root.on<Said>([&](const std::string&) { note("late"); });
        });
        second = root.on<Said>([&](const std::string&) { note("second"); });

        root.emit<Said>("hi");

        CHECK(trace == Lines{"first"});
    }

    // EVT-5, field-146
    TEST_CASE_FIXTURE(ContextFixture, "listeners do not pile up over reloads") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.on<Said>([&](const std::string&) { note("called"); });
        }));
        for (int reload = 0; reload < 100; ++reload) {
            await(fiber->restart());
        }

        root.emit<Said>("hi");
        await(fiber->dispose());
        root.emit<Said>("hi");

        CHECK(trace == Lines{"called"});
    }

    // EVT-14, CTX-19
    TEST_CASE_FIXTURE(ContextFixture, "a context of a disposed fiber can still emit and look up") {
        root.provide(std::make_shared<Number>(1));
        root.on<Said>([&](const std::string& text) { note("{}", text); });
        const FiberPtr fiber = root.plugin(plugin_of("p"));
        await(fiber->dispose());

        fiber->context().emit<Said>("hi");

        CHECK(trace == Lines{"hi"});
        CHECK(fiber->context().get<Number>()->value == 1);
    }
}

TEST_SUITE("listeners") {
    // EVT-3
    TEST_CASE_FIXTURE(ContextFixture, "the same function listens as often as it is registered") {
        const auto listener = [&](const std::string&) {
            note("called");
        };
        const Effect first = root.on<Said>(listener);
        root.on<Said>(listener);
        root.emit<Said>("hi");
        CHECK(take_trace() == Lines{"called", "called"});

        first.request_dispose();
        root.emit<Said>("hi");
        CHECK(take_trace() == Lines{"called"});
    }

    // EVT-4
    TEST_CASE_FIXTURE(ContextFixture, "once() removes the listener before it is called") {
        const Effect effect = root.once<Said>([&](const std::string& text) {
            note("{}", text);
            root.emit<Said>("again");
            throw std::runtime_error{"failed"};
        });

        CHECK(failure_of([&] { root.emit<Said>("hi"); }) == "failed");
        root.emit<Said>("later");

        CHECK(trace == Lines{"hi"});
        CHECK_FALSE(effect.is_active());
        CHECK_FALSE(effect.request_dispose());
    }

    // EVT-4
    TEST_CASE_FIXTURE(ContextFixture, "a result of a once() listener passes through") {
        root.once<Renamed>([](const std::string& name) -> std::optional<std::string> {
            return name + "!";
        });

        CHECK(root.bail<Renamed>("a") == "a!");
        CHECK(root.bail<Renamed>("a") == std::nullopt);
    }

    // EVT-7
    TEST_CASE_FIXTURE(ContextFixture, "EVT-7: the disposer says whether the listener was there") {
        const Effect effect = root.on<Said>([](const std::string&) {});

        CHECK(effect.request_dispose());
        CHECK_FALSE(effect.request_dispose());
    }

    // EVT-1, EFF-19
    TEST_CASE_FIXTURE(ContextFixture, "a listener is an effect that names its event") {
        CHECK(root.on<Said>([](const std::string&) {}).label() == "ctx.on(\"said\")");
    }

    // EVT-5
    TEST_CASE_FIXTURE(
        ContextFixture, "a fiber that unloads hears events until its turn to forget"
    ) {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.on<Said>([&](const std::string& text) { note("{}", text); });
            context.effect("last", undo_of([&] { root.emit<Said>("while unloading"); }));
        }));
        turn();
        await(fiber->dispose());
        root.emit<Said>("after");

        CHECK(trace == Lines{"while unloading"});
    }

    // EVT-8
    TEST_CASE_FIXTURE(ContextFixture, "EVT-8: a name stands for one signature and mode") {
        root.on<Said>([](const std::string&) {});
        const auto listen = [&] {
            root.on<Impostor>([](int) {});
        };

        CHECK(code_of(listen) == "EVENT_MISMATCH");
        CHECK(
            failure_of(listen) ==
            "event 'said' is known as emit with another signature, and used as emit here. Let both "
            "sides include the same definition, or give one of them another name."
        );
    }

    // DIF-7, EVT-16: what would lose its result does not compile.
    static_assert(ListensTo<void (*)(const std::string&), Said>);
    static_assert(!ListensTo<Task<> (*)(const std::string&), Said>);
    static_assert(!ListensTo<void (*)(int, int), Said>);
    static_assert(BailResult<bool> && BailResult<std::optional<int>> && BailResult<Service*>);
    static_assert(!BailResult<std::optional<bool>> && !BailResult<int> && !BailResult<Task<>>);
}

TEST_SUITE("internal events") {
    // PIT-8, IEV-2, IEV-3
    TEST_CASE_FIXTURE(ContextFixture, "DIF-7: a failing observer is logged and steers nothing") {
        root.on<PluginEvent>([](const FiberPtr&) { throw std::runtime_error{"one"}; });
        root.on<PluginEvent>([&](const FiberPtr& fiber) { note("{}", fiber->name()); });
        const Effect status = root.on<StatusEvent>([](const FiberPtr&, FiberState) { throw 2; });

        const FiberPtr fiber = root.plugin(plugin_of("p"));
        await(fiber->settled());

        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"p"});
        CHECK(
            errors() ==
            Lines{
                "root: an observer of 'internal/plugin' failed: one",
                "root: an observer of 'internal/status' failed: 2",
                "root: an observer of 'internal/status' failed: 2",
            }
        );
    }

    TEST_CASE_FIXTURE(ContextFixture, "an observer may restart the fiber it hears of") {
        int loads = 0;
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context&) { ++loads; }));
        root.on<StatusEvent>([&](const FiberPtr& changed, FiberState) {
            if (changed->state() == FiberState::active && loads < 3) {
                start(changed->restart());
            }
        });
        turn();

        CHECK(loads == 3);
        CHECK(fiber->state() == FiberState::active);
    }

    TEST_CASE_FIXTURE(
        ContextFixture, "an observer may provide in the name of the fiber it hears of"
    ) {
        const FiberPtr dependent = root.plugin(plugin_of("dependent", {"a", "b", "c"}));
        root.on<ServiceEvent>([&](const std::string& name, const Service* value) {
            if (name == "a" && value != nullptr) {
                root.provide("c", std::make_shared<Number>(3));
            }
        });
        root.plugin(plugin_of("p", {}, [](const Context& context) {
            context.provide("a", std::make_shared<Number>(1));
            context.provide("b", std::make_shared<Number>(2));
        }));
        turn();

        CHECK(dependent->state() == FiberState::active);
    }
}
