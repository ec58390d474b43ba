#include "../../support/fake_time.hpp"
#include "context_fixture.hpp"

#include <cordon/context/applied_plugins.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// A plugin that notes with which config it runs, and fails with the text `bad`.
PluginPtr noting_plugin(ContextFixture* test) {
    struct Body {
        static Task<> run(ContextFixture* fixture, Value config) {
            const std::string text = *config.as_object()->find("text")->as_string();
            fixture->note("runs with {}", text);
            if (text == "bad") {
                throw std::runtime_error{"bad config"};
            }
            co_return;
        }
    };

    PluginDescriptor descriptor;
    descriptor.name = "noting";
    descriptor.apply = [test](const Context&, Value config) {
        return Body::run(test, std::move(config));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

Value text_config(const char* text) {
    return Value{Object{{"text", text}}};
}

class StallFixture : public ContextFixture {
public:
    StallFixture() { container.report_stalls(std::chrono::seconds{30}, time); }

    void pass(int seconds) {
        time->advance(std::chrono::seconds{seconds});
        turn();
    }

    [[nodiscard]] Lines warnings() const {
        Lines messages;
        for (const LogRecord& record : logs) {
            if (record.level == LogLevel::warn) {
                messages.push_back(record.message);
            }
        }
        return messages;
    }

    std::shared_ptr<FakeTime> time = std::make_shared<FakeTime>();
    Completion gate{container.strand()};
};

}  // namespace

TEST_SUITE("Fiber: identity") {
    // FIB-1
    TEST_CASE("states have the numbers of the contract") {
        const FiberState states[] = {
            FiberState::pending,
            FiberState::loading,
            FiberState::active,
            FiberState::failed,
            FiberState::disposed,
            FiberState::unloading};
        int number = 0;
        for (const FiberState state : states) {
            CHECK(static_cast<int>(state) == number++);
        }
    }

    // FIB-2
    TEST_CASE_FIXTURE(ContextFixture, "uids rise from the root's 0 and are never used again") {
        CHECK(root.fiber()->uid() == 0U);
        std::uint64_t last = 0;
        for (int i = 0; i < 5; ++i) {
            const FiberPtr fiber = root.plugin(plugin_of("p"));
            REQUIRE(fiber->uid().has_value());
            CHECK(*fiber->uid() == last + 1);
            last = *fiber->uid();
            turn();
            fiber->request_dispose();
            CHECK(!fiber->uid());
            turn();
        }
    }

    // FIB-4, FIB-7, FIB-13, FIB-61
    TEST_CASE_FIXTURE(
        ContextFixture, "is wholly there when its creation is told, and before its body"
    ) {
        const PluginPtr plugin = plugin_of("p", {}, [&](const Context&) { note("body"); });
        const Effect observer = root.on<PluginEvent>([&](const FiberPtr& fiber) {
            note(
                "told: uid {}, {}, child of {}, listed {}, {} effects of the parent",
                *fiber->uid(),
                to_string(fiber->state()),
                fiber->parent_fiber()->name(),
                AppliedPlugins{root}.contains(plugin),
                root.fiber()->effect_tree().size()
            );
        });
        root.on<StatusEvent>([&](const FiberPtr& fiber, FiberState old) {
            note("{} to {}", to_string(old), to_string(fiber->state()));
        });

        root.plugin(plugin);
        note("applied");
        turn();
        observer.request_dispose();

        CHECK(
            trace ==
            Lines{
                "told: uid 1, PENDING, child of root, listed true, 3 effects of the parent",
                "PENDING to LOADING",
                "applied",
                "body",
                "LOADING to ACTIVE"}
        );
    }

    // FIB-10
    TEST_CASE_FIXTURE(ContextFixture, "without a schema the config arrives as it is") {
        Value arrived;
        PluginDescriptor descriptor;
        Completion done{container.strand()};
        done.complete();
        descriptor.apply = [&](const Context&, Value config) -> Task<> {
            arrived = std::move(config);
            return wait_for(done);
        };
        const Value config{Object{{"any", Value::Array{1, "two", nullptr}}}};

        root.plugin(std::make_shared<const PluginDescriptor>(std::move(descriptor)), config);
        turn();

        CHECK(arrived == config);
    }

    // FIB-18
    TEST_CASE_FIXTURE(ContextFixture, "one that fails leaves others of its plugin alone") {
        const PluginPtr plugin = noting_plugin(this);
        const FiberPtr good = root.plugin(plugin, text_config("good"));
        const FiberPtr bad = root.plugin(plugin, text_config("bad"));
        const FiberPtr later = root.plugin(plugin, text_config("later"));
        turn();

        CHECK(bad->state() == FiberState::failed);
        CHECK(good->state() == FiberState::active);
        CHECK(later->state() == FiberState::active);
    }
}

TEST_SUITE("Fiber: loading") {
    // FIB-14
    TEST_CASE_FIXTURE(ContextFixture, "siblings load side by side") {
        Completion first_gate{container.strand()};
        const FiberPtr first = root.plugin(plugin_of_task("first", {}, [&](const Context&) {
            return wait_for(first_gate);
        }));
        const FiberPtr second = root.plugin(plugin_of("second"));
        turn();
        CHECK(first->state() == FiberState::loading);
        CHECK(second->state() == FiberState::active);

        first_gate.complete();
        turn();
        CHECK(first->state() == FiberState::active);
    }

    // FIB-20, DIF-5
    TEST_CASE_FIXTURE(ContextFixture, "a body that outlives its disposal can register no more") {
        struct Body {
            static Task<> run(ContextFixture* test, Context context, Completion gate) {
                co_await boost::asio::this_coro::reset_cancellation_state(
                    boost::asio::disable_cancellation()
                );
                context.effect("early", [test] { test->note("undone"); });
                co_await gate.wait();
                test->note("late: {}", test->code_of([&] { context.effect("late", nullptr); }));
            }
        };

        Completion gate{container.strand()};
        const FiberPtr fiber = root.plugin(plugin_of_task("p", {}, [&](Context context) {
            return Body::run(this, std::move(context), gate);
        }));
        turn();
        const auto disposal = start(fiber->dispose());
        turn();
        CHECK(!disposal->ended);

        gate.complete();
        turn();

        CHECK(disposal->ended);
        CHECK(trace == Lines{"late: INACTIVE_EFFECT", "undone"});
    }

    // FIB-26, FIB-27
    TEST_CASE_FIXTURE(ContextFixture, "settled() waits for what runs, not for what may come") {
        const FiberPtr pending = root.plugin(plugin_of("pending", {"number"}));
        await(pending->settled());
        CHECK(pending->state() == FiberState::pending);

        Completion gate{container.strand()};
        const FiberPtr loading = root.plugin(plugin_of_task("loading", {}, [&](const Context&) {
            return wait_for(gate);
        }));
        const auto settled = start(loading->settled());
        turn();
        CHECK(!settled->ended);
        gate.complete();
        turn();
        CHECK(settled->ended);
        CHECK(loading->state() == FiberState::active);
    }
}

TEST_SUITE("Fiber: restart") {
    // FIB-30, FIB-23
    TEST_CASE_FIXTURE(ContextFixture, "the same fiber loads again with the config in force") {
        const FiberPtr fiber = root.plugin(noting_plugin(this), text_config("a"));
        turn();
        const auto uid = fiber->uid();

        await(fiber->restart());

        CHECK(fiber->uid() == uid);
        CHECK(fiber->state() == FiberState::active);
        CHECK(trace == Lines{"runs with a", "runs with a"});
        CHECK(failure_of([&] { await(fiber->update(text_config("bad"))); }) == "bad config");
        CHECK(failure_of([&] { await(fiber->restart()); }) == "bad config");
        CHECK(fiber->state() == FiberState::failed);
    }

    // FIB-32
    TEST_CASE_FIXTURE(ContextFixture, "children are made anew") {
        std::vector<FiberPtr> children;
        const FiberPtr parent = root.plugin(plugin_of("parent", {}, [&](const Context& context) {
            children.push_back(context.plugin(plugin_of("child")));
        }));
        turn();
        const auto first_uid = children.at(0)->uid();

        await(parent->restart());
        turn();

        REQUIRE(children.size() == 2);
        CHECK(children[0]->state() == FiberState::disposed);
        CHECK(children[1]->state() == FiberState::active);
        CHECK(*children[1]->uid() > *first_uid);
    }
}

TEST_SUITE("Fiber: end") {
    // FIB-43, DIF-7
    TEST_CASE_FIXTURE(
        ContextFixture, "dispose() drops the uid, tells everybody and leaves the list at once"
    ) {
        const PluginPtr plugin = plugin_of("p", {}, [&](const Context& context) {
            context.effect("undo", [&] { note("undone"); });
        });
        const FiberPtr fiber = root.plugin(plugin);
        turn();
        root.on<PluginEvent>([](const FiberPtr&) { throw std::runtime_error{"first observer"}; });
        root.on<PluginEvent>([&](const FiberPtr& told) {
            note("told, uid {}", told->uid().has_value());
            throw std::runtime_error{"second observer"};
        });

        fiber->request_dispose();

        CHECK(!fiber->uid());
        CHECK(!AppliedPlugins{root}.contains(plugin));
        CHECK(trace == Lines{"told, uid false"});
        CHECK(errors().size() == 2);
        turn();
        CHECK(trace == Lines{"told, uid false", "undone"});
        CHECK(fiber->state() == FiberState::disposed);
    }

    // FIB-28, FIB-45, FIB-46
    TEST_CASE_FIXTURE(ContextFixture, "disposed is final, and says nothing of an old failure") {
        const FiberPtr fiber = root.plugin(noting_plugin(this), text_config("bad"));
        turn();
        observe();
        await(fiber->dispose());

        await(fiber->settled());
        CHECK(code_of([&] { await(fiber->restart()); }) == "INACTIVE_EFFECT");
        CHECK(code_of([&] { await(fiber->update(text_config("good"))); }) == "INACTIVE_EFFECT");
        turn();

        CHECK(fiber->state() == FiberState::disposed);
        CHECK(
            trace ==
            Lines{
                "runs with bad",
                "plugin(noting uid=none FAILED)",
                "noting:FAILED->UNLOADING",
                "noting:UNLOADING->DISPOSED"}
        );
    }

    // FIB-51
    TEST_CASE_FIXTURE(ContextFixture, "asking for it again from an own undo changes nothing") {
        FiberPtr fiber;
        fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("undo", [&] {
                note("undo");
                fiber->request_dispose();
            });
        }));
        turn();

        await(fiber->dispose());

        CHECK(trace == Lines{"undo"});
        CHECK(fiber->state() == FiberState::disposed);
        CHECK(errors().empty());
    }

    // FIB-3
    TEST_CASE_FIXTURE(ContextFixture, "a parent that ends takes no more children") {
        const FiberPtr parent = root.plugin(plugin_of("parent"));
        turn();
        const Context inner = parent->context();
        parent->request_dispose();

        CHECK(code_of([&] { inner.plugin(plugin_of("child")); }) == "INACTIVE_EFFECT");
        turn();
        CHECK(code_of([&] { inner.plugin(plugin_of("child")); }) == "INACTIVE_EFFECT");
    }

    // FIB-60, DIF-29
    TEST_CASE_FIXTURE(ContextFixture, "a reset of the root opens it again, a shutdown does not") {
        const FiberPtr before = root.plugin(plugin_of("before"));
        turn();
        await(container.reset());
        CHECK(before->state() == FiberState::disposed);
        const FiberPtr after_reset = root.plugin(plugin_of("p"));
        turn();
        CHECK(after_reset->state() == FiberState::active);

        await(container.shutdown());
        CHECK(code_of([&] { root.plugin(plugin_of("q")); }) == "INACTIVE_EFFECT");
        CHECK(code_of([&] { await(container.reset()); }) == "INACTIVE_EFFECT");
    }

    // DIF-4, DIF-29
    TEST_CASE_FIXTURE(ContextFixture, "DIF-4: a checked shutdown throws what the undos threw") {
        for (const char* name : {"a", "b"}) {
            root.plugin(plugin_of(name, {}, [this, name](const Context& context) {
                context.effect("undo", [this] { note("undone"); });
                context.effect("broken", [name] {
                    throw std::runtime_error{std::string{"no luck with "} + name};
                });
            }));
        }
        turn();

        CHECK(failure_of([&] {
                  await(container.shutdown_checked());
              }) == "2 failures in the shutdown of the container: no luck with b; no luck with a");
        CHECK(trace == Lines{"undone", "undone"});
        CHECK(root.fiber()->state() == FiberState::disposed);
    }

    // DIF-4
    TEST_CASE_FIXTURE(ContextFixture, "DIF-4: everybody who joins a checked shutdown is told") {
        Completion gate{container.strand()};
        std::string refused;

        struct Undoing {
            static Task<> ask(Container* of, std::string* code) {
                try {
                    Task<> shutdown = of->shutdown_checked();
                    co_await std::move(shutdown);
                } catch (const Error& error) {
                    *code = error.code();
                }
            }
        };

        root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.effect("slow", [gate] { return wait_for(gate); });
            context.effect("asks", [&] { return Undoing::ask(&container, &refused); });
            context.effect("broken", [] { throw std::runtime_error{"no luck"}; });
        }));
        turn();

        const auto first = start(container.shutdown_checked());
        turn();
        const auto second = start(container.shutdown_checked());
        turn();
        gate.complete();
        turn();

        CHECK(refused == "DEADLOCK");
        for (const auto& caller : {first, second}) {
            REQUIRE(caller->ended);
            CHECK(failure_of([&] { std::rethrow_exception(caller->failure); }) == "no luck");
        }
        CHECK(failure_of([&] { await(container.shutdown_checked()); }) == "no luck");
    }

    // FIB-62
    TEST_CASE_FIXTURE(ContextFixture, "entering and leaving ACTIVE announces its services") {
        observe();
        const FiberPtr provider = root.plugin(plugin_of("prov", {}, [](const Context& context) {
            context.provide(std::make_shared<Number>(1));
        }));
        turn();
        provider->request_dispose();
        turn();

        CHECK(
            trace ==
            Lines{
                "plugin(prov uid=1 PENDING)",
                "prov:PENDING->LOADING",
                "prov:LOADING->ACTIVE",
                "service(number=value)",
                "plugin(prov uid=none ACTIVE)",
                "prov:ACTIVE->UNLOADING",
                "service(number=value)",
                "service(number=absent)",
                "prov:UNLOADING->DISPOSED"}
        );
    }
}

TEST_SUITE("Container::report_stalls()") {
    // FIB-57
    TEST_CASE_FIXTURE(StallFixture, "DIF-25: names the body that does not end, once") {
        root.plugin(plugin_of("outer", {}, [&](const Context& context) {
            context.plugin(plugin_of_task("slow", {}, [&](const Context&) {
                return wait_for(gate);
            }));
        }));
        turn();
        pass(29);
        CHECK(warnings().empty());

        pass(2);
        pass(100);

        CHECK(
            warnings() ==
            Lines{"root > outer > slow has been LOADING for 30000ms: its body has not ended"}
        );
    }

    TEST_CASE_FIXTURE(StallFixture, "DIF-25: names the undo that does not end, and who waits") {
        const FiberPtr provider =
            root.plugin(plugin_of("provider", {}, [&](const Context& context) {
                context.provide(std::make_shared<Number>(1));
            }));
        root.plugin(plugin_of("user", {"number"}, [&](const Context& context) {
            context.effect("group", [&](EffectSetup& setup) {
                setup.effect("connection", [this] { return wait_for(gate); });
            });
        }));
        turn();
        provider->request_dispose();
        turn();
        pass(31);

        CHECK(
            warnings() ==
            Lines{
                "root > provider has been UNLOADING for 30000ms: the undo of "
                "'ctx.provide(\"number\")' has not ended",
                "root > user has been UNLOADING for 30000ms: the undo of 'connection' has not "
                "ended; waiting for it: provider"}
        );

        gate.complete();
        turn();
        CHECK(provider->state() == FiberState::disposed);
        CHECK(time->pending() == 0);
    }

    TEST_CASE_FIXTURE(StallFixture, "says nothing of what ends in time, or when switched off") {
        const FiberPtr fiber =
            root.plugin(plugin_of_task("slow", {}, [&](const Context&) { return wait_for(gate); }));
        turn();
        gate.complete();
        turn();
        CHECK(time->pending() == 0);

        Completion never{container.strand()};
        root.plugin(plugin_of_task("under way", {}, [never](const Context&) {
            return wait_for(never);
        }));
        turn();
        CHECK(time->pending() == 1);
        container.report_stalls({});
        root.plugin(plugin_of_task("later", {}, [never](const Context&) { return wait_for(never); })
        );
        pass(100);

        // Longer than the clock can count.
        container.report_stalls(std::chrono::milliseconds::max(), time);
        await(fiber->restart());
        pass(100);

        CHECK(warnings().empty());
    }
}
