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

Task<bool> answer(bool accepted) {
    co_return accepted;
}

/// A plugin that notes the config of each load, and a record of its restarts.
class UpdateFixture : public ContextFixture {
public:
    static Task<> run(UpdateFixture* test, Context context, Value config) {
        test->note("runs with {}", *config.as_number());
        if (test->on_load) {
            test->on_load(context);
        }
        co_return;
    }

    FiberPtr start_plugin(Inject inject = {}) {
        PluginDescriptor descriptor;
        descriptor.name = "p";
        descriptor.inject = std::move(inject);
        descriptor.apply = [this](Context context, Value config) {
            return run(this, std::move(context), std::move(config));
        };
        const FiberPtr fiber =
            root.plugin(std::make_shared<const PluginDescriptor>(std::move(descriptor)), 1);
        turn();
        return fiber;
    }

    std::function<void(const Context&)> on_load;
};

}  // namespace

TEST_SUITE("Fiber::update()") {
    // FIB-34, IEV-12, IEV-13
    TEST_CASE_FIXTURE(UpdateFixture, "asks the handlers, then restarts with the new config") {
        const auto handler = [this](const std::string& name) {
            return
                [this,
                 name](const FiberPtr&, const Value& config, bool no_save, Next<Task<bool>> next) {
                    note("{}: {} {}", name, *config.as_number(), no_save);
                    return next();
                };
        };
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(handler("own"));
        };
        root.on<UpdateEvent>(handler("global"), ListenerOptions{false, /*global=*/true});
        root.on<UpdateEvent>(handler("of the root"));
        const FiberPtr fiber = start_plugin();

        CHECK(result_of(fiber->update(2, /*no_save=*/true)));

        CHECK(trace == Lines{"runs with 1", "own: 2 true", "global: 2 true", "runs with 2"});
        CHECK(fiber->state() == FiberState::active);
    }

    // FIB-35, FIB-39, DIF-11, PIT-10
    TEST_CASE_FIXTURE(UpdateFixture, "DIF-11: a vetoed config does not come back") {
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(
                [](const FiberPtr&, const Value&, bool, const Next<Task<bool>>&) {
                    return answer(false);
                }
            );
        };
        const FiberPtr fiber = start_plugin();

        CHECK(!result_of(fiber->update(2)));
        turn();
        CHECK(trace == Lines{"runs with 1"});
        await(fiber->restart());

        CHECK(trace == Lines{"runs with 1", "runs with 1"});
    }

    // FIB-35: the handler's own result is what the caller gets
    TEST_CASE_FIXTURE(UpdateFixture, "a handler may deal with the config itself") {
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(
                [this](const FiberPtr&, const Value& config, bool, const Next<Task<bool>>&) {
                    note("takes {}", *config.as_number());
                    return answer(true);
                }
            );
        };
        const FiberPtr fiber = start_plugin();

        CHECK(result_of(fiber->update(2)));
        turn();

        CHECK(trace == Lines{"runs with 1", "takes 2"});
    }

    // FIB-36
    TEST_CASE_FIXTURE(UpdateFixture, "a handler that throws changes nothing") {
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(
                [](const FiberPtr&, const Value&, bool, const Next<Task<bool>>&) -> Task<bool> {
                    throw std::runtime_error{"not today"};
                }
            );
        };
        const FiberPtr fiber = start_plugin();

        CHECK(failure_of([&] { await(fiber->update(2)); }) == "not today");

        CHECK(fiber->state() == FiberState::active);
        await(fiber->restart());
        CHECK(trace == Lines{"runs with 1", "runs with 1"});
    }

    // FIB-37
    TEST_CASE_FIXTURE(UpdateFixture, "a load that fails keeps the new config in force") {
        const FiberPtr fiber = start_plugin();
        bool is_broken = true;
        on_load = [&](const Context&) {
            if (is_broken) {
                throw std::runtime_error{"boom"};
            }
        };

        CHECK(failure_of([&] { await(fiber->update(2)); }) == "boom");
        CHECK(fiber->state() == FiberState::failed);
        is_broken = false;
        await(fiber->restart());

        CHECK(trace == Lines{"runs with 1", "runs with 2", "runs with 2"});
    }

    // FIB-38
    TEST_CASE_FIXTURE(UpdateFixture, "asks nobody while the fiber is not active") {
        root.on<UpdateEvent>(
            [this](const FiberPtr&, const Value&, bool, Next<Task<bool>> next) {
                note("asked");
                return next();
            },
            ListenerOptions{false, /*global=*/true}
        );
        const FiberPtr fiber = start_plugin({"number"});
        CHECK(fiber->state() == FiberState::pending);

        CHECK(result_of(fiber->update(2)));
        CHECK(trace.empty());
        root.provide(std::make_shared<Number>(1));
        turn();

        CHECK(trace == Lines{"runs with 2"});
    }

    // DIF-12, PIT-9, IEV-14
    TEST_CASE_FIXTURE(UpdateFixture, "DIF-12: handlers go with the load that registered them") {
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(
                [this](const FiberPtr&, const Value&, bool, Next<Task<bool>> next) {
                    note("asked");
                    return next();
                }
            );
        };
        const FiberPtr fiber = start_plugin();
        await(fiber->restart());
        await(fiber->restart());
        take_trace();

        await(fiber->update(5));

        CHECK(trace == Lines{"asked", "runs with 5"});
    }

    // FIB-9, IEV-11
    TEST_CASE_FIXTURE(UpdateFixture, "the config chain runs at each load and before an update") {
        root.on<ConfigEvent>([this](const FiberPtr&, const Value& raw, const Next<Value>& next) {
            note("resolves {}", *raw.as_number());
            return Value{*next().as_number() * 10};
        });
        const FiberPtr fiber = start_plugin();

        await(fiber->update(2));

        CHECK(
            trace == Lines{"resolves 1", "runs with 10", "resolves 2", "resolves 2", "runs with 20"}
        );
    }

    // LDR-50: the plugin's own side changes its config
    TEST_CASE_FIXTURE(UpdateFixture, "a plugin may ask for an update of itself without waiting") {
        on_load = [&](const Context& context) {
            on_load = nullptr;
            context.fiber()->request_update(2);
        };
        const FiberPtr fiber = start_plugin();

        CHECK(trace == Lines{"runs with 1", "runs with 2"});
        CHECK(fiber->state() == FiberState::active);
    }

    TEST_CASE_FIXTURE(UpdateFixture, "a refusal nobody waits for is logged") {
        on_load = [&](const Context& context) {
            context.on<UpdateEvent>(
                [](const FiberPtr&, const Value&, bool, const Next<Task<bool>>&) -> Task<bool> {
                    throw std::runtime_error{"not today"};
                }
            );
        };
        const FiberPtr fiber = start_plugin();

        fiber->request_update(2);
        turn();
        fiber->request_restart();
        turn();

        CHECK(errors() == Lines{"p: the update failed: not today"});
        CHECK(trace == Lines{"runs with 1", "runs with 1"});
    }
}
