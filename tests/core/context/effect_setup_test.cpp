#include "context_fixture.hpp"

#include <cordon/base/aggregate_error.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// Steps of set-ups that wait for a gate between them.
class SetupFixture : public ContextFixture {
public:
    Undo noted(const std::string& what) {
        return [this, what] {
            note("{}", what);
        };
    }

    Undo noted_after(Completion until, const std::string& what) {
        return [this, until, what] {
            return note_after(this, until, what);
        };
    }

    static Task<> note_after(SetupFixture* test, Completion until, std::string what) {
        test->note("{} begins", what);
        co_await until.wait();
        test->note("{} ends", what);
    }

    /// Takes a step, waits for the gate, takes another one.
    static Task<> two_steps(SetupFixture* test, EffectSetup* setup) {
        setup->add(test->noted("undo 1"));
        co_await test->gate.wait();
        setup->add(test->noted("undo 2"));
        test->note("set up");
    }

    /// The same, deaf to cancellation.
    static Task<> deaf_steps(SetupFixture* test, EffectSetup* setup) {
        co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation(
        ));
        setup->add(test->noted("undo 1"));
        co_await test->gate.wait();
        test->note("step 2");
        setup->add(test->noted("undo 2"));
        test->note("step 3");
    }

    static Task<> fail(SetupFixture* test, EffectSetup* setup) {
        setup->add(test->noted("undo 1"));
        co_await test->gate.wait();
        throw std::runtime_error{"no luck"};
    }

    template <typename Step>
    auto begin(Step step) {
        return [this, step](EffectSetup& setup) {
            return step(this, &setup);
        };
    }

    Completion gate{container.strand()};
};

}  // namespace

TEST_SUITE("Effect: set-up in steps") {
    // EFF-1, EFF-2, EFF-4, EFF-5
    TEST_CASE_FIXTURE(SetupFixture, "immediate undos are done in reverse before the call returns") {
        const Effect effect = root.effect("steps", [&](EffectSetup& setup) {
            note("setting up");
            setup.add(noted("undo 1"));
            setup.add(nullptr);
            setup.add(noted("undo 2"));
        });
        CHECK(trace == Lines{"setting up"});
        CHECK(effect.is_active());

        CHECK(effect.request_dispose());

        CHECK(trace == Lines{"setting up", "undo 2", "undo 1"});
        CHECK(!effect.request_dispose());
        CHECK(root.fiber()->effect_tree().empty());
    }

    // EFF-4
    TEST_CASE_FIXTURE(SetupFixture, "each undo waits for the end of the one before") {
        const Effect effect = root.effect("steps", [&](EffectSetup& setup) {
            setup.add(noted("undo 1"));
            setup.add(noted_after(gate, "undo 2"));
        });
        const auto disposal = start(effect.dispose());
        turn();
        CHECK(trace == Lines{"undo 2 begins"});

        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"undo 2 begins", "undo 2 ends", "undo 1"});
    }

    // EFF-11
    TEST_CASE_FIXTURE(SetupFixture, "a set-up that throws is undone and leaves nothing") {
        const auto set_up = [&] {
            root.effect("steps", [&](EffectSetup& setup) {
                setup.add(noted("undo 1"));
                throw std::runtime_error{"no luck"};
            });
        };

        CHECK(failure_of(set_up) == "no luck");
        CHECK(trace == Lines{"undo 1"});
        CHECK(root.fiber()->effect_tree().empty());
        CHECK(errors().empty());
    }

    // EFF-16, PIT-6, DIF-4
    TEST_CASE_FIXTURE(SetupFixture, "DIF-4: every undo is tried, and all failures are told") {
        const Effect effect = root.effect("steps", [&](EffectSetup& setup) {
            setup.add(noted("undo 1"));
            setup.add([]() -> Task<> { throw std::runtime_error{"first"}; });
            setup.add([] { throw std::runtime_error{"second"}; });
        });

        CHECK(failure_of([&] {
                  await(effect.dispose());
              }) == "2 failures in the undos of 'steps': second; first");
        CHECK(trace == Lines{"undo 1"});
        CHECK(root.fiber()->effect_tree().empty());
    }

    // EFF-21
    TEST_CASE_FIXTURE(SetupFixture, "an undo that disposes of its own effect changes nothing") {
        Effect effect;
        effect = root.effect("steps", [&](EffectSetup& setup) {
            setup.add(noted("undo 1"));
            setup.add([&] { CHECK(!effect.request_dispose()); });
        });

        await(effect.dispose());

        CHECK(trace == Lines{"undo 1"});
    }

    // EFF-20
    TEST_CASE_FIXTURE(SetupFixture, "a fiber that accepts nothing does not begin the set-up") {
        Context ended = root;
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context& context) { ended = context; }));
        turn();
        await(fiber->dispose());

        CHECK(code_of([&] {
                  ended.effect("x", [&](EffectSetup&) { note("setting up"); });
              }) == "INACTIVE_EFFECT");
        CHECK(code_of([&] { ended.effect("x", begin(&two_steps)); }) == "INACTIVE_EFFECT");
        CHECK(trace.empty());
    }
}

TEST_SUITE("Effect: asynchronous set-up") {
    // EFF-2, EFF-10
    TEST_CASE_FIXTURE(SetupFixture, "can be waited for, and is undone like any other") {
        const Effect effect = root.effect("steps", begin(&two_steps));
        const auto ready = start(effect.ready());
        turn();
        CHECK(!ready->ended);

        gate.complete();
        turn();
        CHECK(ready->ended);
        CHECK(ready->failure == nullptr);

        await(effect.dispose());
        CHECK(trace == Lines{"set up", "undo 2", "undo 1"});
    }

    // EFF-8, DIF-5
    TEST_CASE_FIXTURE(SetupFixture, "DIF-5: a disposal cancels it, then undoes what it has done") {
        const Effect effect = root.effect("steps", begin(&two_steps));
        turn();

        await(effect.dispose());

        CHECK(trace == Lines{"undo 1"});
        CHECK(errors().empty());
    }

    // EFF-9, FIB-19
    TEST_CASE_FIXTURE(
        SetupFixture, "a step in flight ends, its undo is kept, and no other begins"
    ) {
        const Effect effect = root.effect("steps", begin(&deaf_steps));
        turn();
        const auto disposal = start(effect.dispose());
        turn();
        CHECK(trace.empty());

        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"step 2", "undo 2", "undo 1"});
        CHECK(errors().empty());
    }

    // EFF-9
    TEST_CASE_FIXTURE(
        SetupFixture, "an inner effect made in the last step is kept and undone too"
    ) {
        struct Steps {
            static Task<> run(SetupFixture* test, EffectSetup* setup) {
                co_await boost::asio::this_coro::reset_cancellation_state(
                    boost::asio::disable_cancellation()
                );
                co_await test->gate.wait();
                setup->effect("late", test->noted("late undone"));
                test->note("goes on");
            }
        };

        const FiberPtr fiber = root.plugin(plugin_of("p"));
        turn();
        const Effect last = fiber->context().effect("last", noted_after(gate, "last"));
        const Effect first = fiber->context().effect("steps", [&](EffectSetup& setup) {
            return Steps::run(this, &setup);
        });
        turn();
        const auto disposal = start(fiber->dispose());
        turn();
        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"late undone", "last begins", "last ends"});
        CHECK(errors().empty());
    }

    // EFF-10, DIF-6
    TEST_CASE_FIXTURE(SetupFixture, "what has been set up is ready, for its own undo too") {
        struct Undoing {
            static Task<> run(SetupFixture* test, Effect* own) {
                Task<> ready = own->ready();
                co_await std::move(ready);
                test->note("ready");
            }
        };

        Effect effect;
        effect = root.effect("steps", [&](EffectSetup& setup) {
            setup.add([&] { return Undoing::run(this, &effect); });
        });

        await(effect.dispose());

        CHECK(trace == Lines{"ready"});
    }

    // EFF-12, EFF-13, PIT-15, DIF-19
    TEST_CASE_FIXTURE(
        SetupFixture, "DIF-19: a failure is logged once and undone, waited for or not"
    ) {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("early", noted("early undone"));
        }));
        turn();
        const Effect effect = fiber->context().effect("steps", begin(&fail));
        const auto first = start(effect.ready());
        turn();
        gate.complete();
        turn();

        CHECK(failure_of([&] { std::rethrow_exception(first->failure); }) == "no luck");
        CHECK(failure_of([&] { await(effect.ready()); }) == "no luck");
        CHECK(errors() == Lines{"p: effect 'steps' failed: no luck"});
        CHECK(trace == Lines{"undo 1"});
        CHECK(!effect.is_active());
        CHECK(fiber->state() == FiberState::active);
    }

    // DIF-19
    TEST_CASE_FIXTURE(SetupFixture, "DIF-19: during the load it fails the fiber") {
        Completion body{container.strand()};
        const FiberPtr fiber =
            root.plugin(plugin_of_task("p", {}, [&](const Context& context) -> Task<> {
                context.effect("steps", begin(&fail));
                return wait_for(body);
            }));
        turn();
        gate.complete();
        turn();
        CHECK(fiber->state() == FiberState::loading);
        body.complete();
        turn();

        CHECK(fiber->state() == FiberState::failed);
        CHECK(errors() == Lines{"p: effect 'steps' failed: no luck"});
        CHECK(failure_of([&] { await(fiber->settled()); }) == "effect 'steps' failed: no luck");
    }

    // EFF-14
    TEST_CASE_FIXTURE(SetupFixture, "an unload waits for the rollback of one that fails") {
        Completion rollback{container.strand()};

        struct Steps {
            static Task<> fail(SetupFixture* test, EffectSetup* setup, Completion until) {
                setup->add(test->noted_after(until, "rollback"));
                co_await test->gate.wait();
                throw std::runtime_error{"no luck"};
            }
        };

        const FiberPtr fiber = root.plugin(plugin_of("p"));
        turn();
        fiber->context().effect("steps", [&](EffectSetup& setup) {
            return Steps::fail(this, &setup, rollback);
        });
        turn();
        gate.complete();
        turn();
        const auto disposal = start(fiber->dispose());
        turn();
        CHECK(!disposal->ended);

        rollback.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"rollback begins", "rollback ends"});
    }

    // EFF-15
    TEST_CASE_FIXTURE(SetupFixture, "an unload that begins inside waits for set-up and undos") {
        struct Steps {
            static Task<> run(SetupFixture* test, EffectSetup* setup, FiberPtr fiber) {
                co_await boost::asio::this_coro::reset_cancellation_state(
                    boost::asio::disable_cancellation()
                );
                fiber->request_restart();
                co_await test->gate.wait();
                test->note("set up");
                setup->add(test->noted("undone"));
            }
        };

        int loads = 0;
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context&) { note("load {}", ++loads); }));
        turn();
        fiber->context().effect("steps", [&](EffectSetup& setup) {
            return Steps::run(this, &setup, fiber);
        });
        turn();
        CHECK(trace == Lines{"load 1"});

        gate.complete();
        turn();

        CHECK(trace == Lines{"load 1", "set up", "undone", "load 2"});
    }

    // DIF-6
    TEST_CASE_FIXTURE(SetupFixture, "it cannot wait for its own end") {
        struct Steps {
            static Task<> run(SetupFixture* test, Effect* self) {
                for (const bool is_disposal : {true, false}) {
                    try {
                        Task<> running = is_disposal ? self->dispose() : self->ready();
                        co_await std::move(running);
                    } catch (const Error& error) {
                        test->note("{}", error.code());
                    }
                }
            }
        };

        Effect effect;
        effect = root.effect("steps", [&](EffectSetup&) { return Steps::run(this, &effect); });
        turn();

        CHECK(trace == Lines{"DEADLOCK", "DEADLOCK"});
        CHECK(effect.is_active());
    }
}

TEST_SUITE("Effect: nesting") {
    // EFF-17, EFF-19
    TEST_CASE_FIXTURE(SetupFixture, "an inner effect is undone in its place, and shown beneath") {
        const Effect free = root.effect("free", noted("free"));
        const Effect inner = root.effect("inner", noted("inner"));
        const Effect outer = root.effect("outer", [&](EffectSetup& setup) {
            setup.add(noted("before"));
            setup.add(inner);
            setup.effect("on the spot", noted("on the spot"));
            setup.add(noted("behind"));
        });
        root.effect(noted("anonymous"));

        CHECK(
            root.fiber()->effect_tree() ==
            std::vector<EffectInfo>{
                {"free", {}}, {"outer", {{"inner", {}}, {"on the spot", {}}}}, {"anonymous", {}}}
        );
        outer.request_dispose();

        CHECK(trace == Lines{"behind", "on the spot", "inner", "before"});
        CHECK(!inner.is_active());
        CHECK(free.is_active());
    }

    // EFF-18
    TEST_CASE_FIXTURE(SetupFixture, "one that is disposed of first is skipped later") {
        Effect inner;
        const Effect outer = root.effect("outer", [&](EffectSetup& setup) {
            inner = setup.effect("inner", noted("inner"));
            setup.add(noted("behind"));
        });

        await(inner.dispose());
        CHECK(root.fiber()->effect_tree() == std::vector<EffectInfo>{{"outer", {}}});
        await(outer.dispose());

        CHECK(trace == Lines{"inner", "behind"});
    }

    // EFF-7
    TEST_CASE_FIXTURE(SetupFixture, "the outer one joins an inner disposal that runs") {
        Effect inner;
        const Effect outer = root.effect("outer", [&](EffectSetup& setup) {
            setup.add(noted("before"));
            inner = setup.effect("inner", noted_after(gate, "inner"));
        });
        start(inner.dispose());
        turn();
        const auto disposal = start(outer.dispose());
        turn();
        CHECK(!disposal->ended);
        CHECK(trace == Lines{"inner begins"});

        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"inner begins", "inner ends", "before"});
    }

    // DIF-6
    TEST_CASE_FIXTURE(
        SetupFixture, "DIF-6: waiting for an inner undo that waits for the caller fails"
    ) {
        struct Body {
            static Task<> run(SetupFixture* test, Effect effect) {
                try {
                    Task<> disposal = effect.dispose();
                    co_await std::move(disposal);
                } catch (const Error& error) {
                    test->note("{}", error.code());
                }
            }
        };

        Effect group;
        root.plugin(plugin_of("provider", {}, [&](const Context& context) {
            group = context.effect("group", [&](EffectSetup& setup) {
                setup.add(context.provide(std::make_shared<Number>(1)));
            });
        }));
        root.plugin(plugin_of_task("user", {"number"}, [&](const Context&) {
            return Body::run(this, group);
        }));
        turn();

        CHECK(trace == Lines{"DEADLOCK"});
    }

    TEST_CASE_FIXTURE(SetupFixture, "a set-up that waits for another one ends quietly with both") {
        struct Steps {
            static Task<> wait(Effect* other) {
                Task<> ready = other->ready();
                co_await std::move(ready);
            }
        };

        Effect later;
        const FiberPtr fiber = root.plugin(plugin_of("p"));
        turn();
        fiber->context().effect("first", [&](EffectSetup&) { return Steps::wait(&later); });
        later = fiber->context().effect("later", begin(&two_steps));
        turn();

        await(fiber->dispose());

        CHECK(errors().empty());
    }

    TEST_CASE("nothing is undone behind a container that was not shut down") {
        boost::asio::io_context io;
        int undone = 0;
        Effect inner;
        {
            Container container{io.get_executor()};
            inner = container.root().effect("inner", [&] { ++undone; });
            container.root().effect("outer", [&](EffectSetup& setup) { setup.add(inner); });
        }
        inner.request_dispose();

        CHECK(undone == 0);
    }

    // PIT-32
    TEST_CASE_FIXTURE(SetupFixture, "one that is not taken in has a life of its own") {
        Effect inner;
        const Effect outer = root.effect("outer", [&](EffectSetup& setup) {
            inner = root.effect("inner", noted("inner"));
            setup.add(noted("outer"));
        });

        outer.request_dispose();

        CHECK(trace == Lines{"outer"});
        CHECK(inner.is_active());
    }

    TEST_CASE_FIXTURE(SetupFixture, "an effect of another fiber cannot be taken in") {
        const FiberPtr other = root.plugin(plugin_of("other"));
        turn();
        const Effect foreign = other->context().effect("foreign", noted("foreign"));
        const auto take_in = [&] {
            root.effect("outer", [&](EffectSetup& setup) { setup.add(foreign); });
        };

        CHECK(code_of(take_in) == "FOREIGN_EFFECT");
        CHECK(foreign.is_active());
        CHECK(root.fiber()->effect_tree() == std::vector<EffectInfo>{{"ctx.plugin()", {}}});
    }

    // SVC-27
    TEST_CASE_FIXTURE(
        SetupFixture, "a service inside an effect still goes before everything else"
    ) {
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                context.effect("group", [&](EffectSetup& setup) {
                    setup.add(context.provide(std::make_shared<Number>(1)));
                    setup.add(noted("internals"));
                });
            }));
        root.plugin(plugin_of("user", {"number"}, [&](const Context& context) {
            context.effect("use", noted("user"));
        }));
        turn();

        await(provider->dispose());

        CHECK(trace == Lines{"user", "internals"});
    }
}

TEST_SUITE("Fiber::effect_tree()") {
    // EFF-19, EFF-22
    TEST_CASE_FIXTURE(SetupFixture, "names everything that a fiber has registered") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.on<PluginEvent>([](const FiberPtr&) {});
            context.plugin(plugin_of("child"));
            context.provide(std::make_shared<Number>(1));
            context.effect("own", noted("own"));
        }));
        turn();

        CHECK(
            fiber->effect_tree() ==
            std::vector<EffectInfo>{
                {"ctx.on(\"internal/plugin\")", {}},
                {"ctx.plugin()", {}},
                {"ctx.provide(\"number\")", {}},
                {"own", {}}}
        );
        await(fiber->dispose());
        CHECK(fiber->effect_tree().empty());
    }

    // CTX-2
    TEST_CASE_FIXTURE(SetupFixture, "the root begins with nothing") {
        CHECK(root.fiber()->effect_tree().empty());
    }
}

TEST_SUITE("Fiber::attach()") {
    // FIB-6, FIB-45, FIB-55
    TEST_CASE_FIXTURE(SetupFixture, "a pending fiber's disposal waits for what was attached") {
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {"number"}, [&](const Context&) { note("body"); }));
        fiber->attach("early", noted_after(gate, "early"));
        const auto disposal = start(fiber->dispose());
        turn();
        CHECK(fiber->state() == FiberState::unloading);
        CHECK(!disposal->ended);

        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"early begins", "early ends"});
        CHECK(code_of([&] { fiber->attach("late", nullptr); }) == "INACTIVE_EFFECT");
    }

    // FIB-6
    TEST_CASE_FIXTURE(SetupFixture, "an observer of the creation may attach, and dispose of it") {
        root.on<PluginEvent>([&](const FiberPtr& fiber) {
            if (fiber->uid()) {
                fiber->attach("early", noted("early"));
                fiber->request_dispose();
            }
        });
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [&](const Context&) { note("body"); }));
        turn();

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(trace == Lines{"early"});
    }

    TEST_CASE_FIXTURE(SetupFixture, "what was attached before the load is undone after it, last") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("own", noted("own"));
        }));
        fiber->attach("early", noted("early"));
        turn();

        await(fiber->dispose());

        CHECK(trace == Lines{"own", "early"});
    }

    // FIB-42, DIF-13
    TEST_CASE_FIXTURE(SetupFixture, "DIF-13: a failed fiber takes nothing") {
        const FiberPtr fiber =
            root.plugin(plugin_of("p", {}, [](const Context&) { throw std::runtime_error{"boom"}; })
            );
        turn();

        CHECK(code_of([&] { fiber->attach("late", nullptr); }) == "INACTIVE_EFFECT");
    }
}
