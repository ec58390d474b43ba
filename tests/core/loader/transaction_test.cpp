#include "live.hpp"

#include <cordon/loader/loader_events.hpp>

#include <doctest/doctest.h>

#include <string>

#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::contains;
using testing::failure_of;
using testing::keys;
using testing::Live;
using testing::row;
using testing::with_rows;

TEST_SUITE("EntryTree::replace()") {
    CO_TEST_CASE("undoes a transaction with one bad candidate (TRC-L1, LDR-37, LDR-38, LDR-41)") {
        co_await with_rows(
            "[{id: a, name: tracer, config: {tag: a1}}, {id: b, name: tracer, config: {tag: b1}}]",
            [](Live& live) -> Task<> {
                const FiberPtr untouched = live.row("b").fiber;
                const std::string failure = co_await failure_of(
                    live.replace("- {id: a, name: tracer, config: {tag: a2}}\n"
                                 "- {id: c, name: tracer, config: {tag: c, fail: bad c}}\n"
                                 "- {id: d, name: tracer, config: {tag: d}}\n")
                );

                CHECK(failure == "failed to apply loader entry c (tracer): bad c");
                CHECK(
                    live.take_log() ==
                    "dispose a1; apply c; apply d; bad c; dispose c; apply a2; dispose d; dispose "
                    "a2; apply a1"
                );
                CHECK(live.states() == "a:active b:active");
                CHECK(live.row("b").fiber == untouched);
            }
        );
    }

    CO_TEST_CASE("does not touch rows that go before all candidates are up (LDR-39)") {
        co_await with_rows(
            "[{id: old, name: tracer, config: {tag: old}}]",
            [](Live& live) -> Task<> {
                co_await live.replace("[{id: new, name: tracer, config: {tag: new}}]");

                CHECK(live.take_log() == "apply new; dispose old");
                CHECK(live.states() == "new:active");
            }
        );
    }

    CO_TEST_CASE("swaps a provider for another row in one edit (DIF-L1, PIT-L4)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting, config: {text: one}}\n"
            "- {id: n, name: needs_greeting}\n",
            [](Live& live) -> Task<> {
                co_await live.replace(
                    "- {id: q, name: provides_greeting, config: {text: two}}\n"
                    "- {id: n, name: needs_greeting}\n"
                );

                CHECK(live.greeting() == "two");
                CHECK(live.states() == "q:active n:active");
                CHECK(
                    live.take_log() ==
                    "stopped needs_greeting; stopped provides_greeting; "
                    "started provides_greeting; started needs_greeting"
                );
            }
        );
    }

    CO_TEST_CASE("swaps a provider that never said what it provides (DIF-L1)") {
        co_await with_rows(
            "[{id: p, name: tracer, config: {tag: one, provide: greeting}}]",
            [](Live& live) -> Task<> {
                co_await live.replace(
                    "[{id: q, name: tracer, config: {tag: two, provide: greeting}}]"
                );

                CHECK(live.greeting() == "two");
                CHECK(live.states() == "q:active");
            }
        );
    }

    CO_TEST_CASE("brings a stopped provider back where its successor fails (DIF-L1)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting, config: {text: one}}\n"
            "- {id: n, name: needs_greeting}\n",
            [](Live& live) -> Task<> {
                const std::string failure =
                    co_await failure_of(live.replace("- {id: q, name: throws_in_start}\n"
                                                     "- {id: n, name: needs_greeting}\n"));

                CHECK(contains(failure, "failed to apply loader entry q (throws_in_start)"));
                CHECK(live.greeting() == "one");
                CHECK(live.states() == "p:active n:active");
            }
        );
    }

    CO_TEST_CASE("keeps a row running that moves out of a removed group (PIT-L1, PIT-L17)") {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  config: [{id: a, name: tracer, config: {tag: a}}, {id: b, name: tracer, config: "
            "{tag: b}}]\n",
            [](Live& live) -> Task<> {
                const FiberPtr before = live.row("a").fiber;
                co_await live.replace("[{id: a, name: tracer, config: {tag: a}}]");

                CHECK(live.states() == "a:active");
                CHECK(live.row("a").fiber == before);
                CHECK(live.take_log() == "dispose b");
            }
        );
    }

    CO_TEST_CASE("keeps a row running that moves into a new group, and back after a failure") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            const FiberPtr before = live.row("a").fiber;
            const std::string failure = co_await failure_of(
                live.replace("- {id: g, name: 'cordis:group', config: [{id: a, name: tracer, "
                             "config: {tag: a}}]}\n"
                             "- {id: x, name: throws_in_start}\n")
            );
            CHECK(contains(failure, "loader entry x"));
            CHECK(live.states() == "a:active");
            CHECK(live.row("a").fiber == before);
            live.log.clear();

            co_await live.replace(
                "- {id: g, name: 'cordis:group', config: [{id: a, name: "
                "tracer, config: {tag: a}}]}\n"
            );

            CHECK(live.states() == "g:active a:active");
            CHECK(live.row("a").fiber == before);
            CHECK(live.take_log() == "");
        });
    }

    CO_TEST_CASE("opens all new code before it stops anything (DIF-L1)") {
        co_await with_rows("[{id: p, name: provides_greeting}]", [](Live& live) -> Task<> {
            const std::string failure = co_await failure_of(
                live.replace("[{id: q, name: provides_greeting}, {id: x, name: wrong_abi}]")
            );

            CHECK(contains(failure, "failed to import loader entry x (wrong_abi)"));
            CHECK(live.take_log() == "");
            CHECK(live.states() == "p:active");
        });
    }

    CO_TEST_CASE("tells of several failures together (LDR-38)") {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            const std::string failure = co_await failure_of(
                live.replace("[{id: x, name: tracer, config: {fail: one}}, {id: y, name: "
                             "tracer, config: {fail: two}}]")
            );

            CHECK(
                failure ==
                "loader entries failed to apply: failed to apply loader entry x (tracer): "
                "one; failed to apply loader entry y (tracer): two"
            );
            CHECK(live.states() == "");
        });
    }

    CO_TEST_CASE("does one operation after the other, whatever is asked at once (DIF-L13, PIT-L5)"
    ) {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a0}}]", [](Live& live) -> Task<> {
            std::vector<Starter> updates;
            for (const char* text :
                 {"{config: {tag: a1}}", "{config: {tag: a2}}", "{config: {tag: a3}}"}) {
                updates.emplace_back([&live, text] { return live.tree->update("a", keys(text)); });
            }
            static_cast<void>(co_await start_all(std::move(updates)));

            CHECK(
                live.take_log() ==
                "dispose a0; apply a1; dispose a1; apply a2; dispose a2; apply a3"
            );
            CHECK(live.row("a").options == row("{id: a, name: tracer, config: {tag: a3}}"));
        });
    }

    CO_TEST_CASE(
        "changes what a waiting row will start with, and tries a failed one again "
        "(PIT-L6)"
    ) {
        MountOptions options;
        options.keep_going = true;
        co_await with_rows(
            "- {id: w, name: tracer, inject: [greeting], config: {tag: w1}}\n"
            "- {id: f, name: tracer, config: {tag: f1, fail: broken}}\n",
            std::move(options),
            nullptr,
            [](Live& live) -> Task<> {
                CHECK(live.states() == "w:pending f:failed");
                co_await live.tree->update("w", keys("{config: {tag: w2}}"));
                co_await live.tree->update("f", keys("{config: {tag: f2}}"));
                CHECK(live.take_log() == "apply f2");
                static_cast<void>(co_await live.tree->create(row("{id: p, name: provides_greeting}")
                ));

                CHECK(contains(live.take_log(), "apply w2"));
                CHECK(live.states() == "w:active f:active p:active");
            }
        );
    }

    CO_TEST_CASE("is not kept from working by a row that had failed before (PIT-L18)") {
        MountOptions options;
        options.keep_going = true;
        co_await with_rows(
            "- {id: f, name: tracer, config: {fail: broken}}\n"
            "- {id: x, name: no-such}\n",
            std::move(options),
            nullptr,
            [](Live& live) -> Task<> {
                co_await live.replace(
                    "- {id: f, name: tracer, config: {fail: broken}}\n"
                    "- {id: x, name: no-such}\n"
                    "- {id: a, name: tracer}\n"
                );
                CHECK(live.states() == "f:failed x:none a:active");
                co_await live.tree->remove("f");
                CHECK(live.states() == "x:none a:active");
            }
        );
    }
}

namespace {

/// Everything that the loader says of its rows.
void observe(Live& live) {
    const Context root = live.root();
    root.on<EntryInitEvent>([&live](const std::string& id) { live.log.push_back("init " + id); });
    root.on<PatchContextEvent>([&live](const std::string& id, Next<bool> next) {
        live.log.push_back("patch " + id);
        return next();
    });
    root.on<PartialDisposeEvent>([&live](const std::string& id, const Value&, bool is_active) {
        live.log.push_back("partial " + id + (is_active ? " active" : " gone"));
    });
}

}  // namespace

TEST_SUITE("events of the loader") {
    CO_TEST_CASE("tell of one row in order (TRC-L2, LDR-18, LDR-54, LDR-55)") {
        co_await with_rows("[]", &observe, [](Live& live) -> Task<> {
            static_cast<void>(co_await live.tree->create(row("{id: a, name: needs_nobody}")));
            CHECK(live.take_log() == "init a; patch a");
            co_await live.tree->update("a", keys("{config: {x: 1}}"));
            CHECK(live.take_log() == "patch a; partial a active");
            co_await live.tree->update("a", keys("{disabled: true}"));
            CHECK(live.take_log() == "partial a active");
            co_await live.tree->update("a", keys("{disabled: null}"));
            CHECK(live.take_log() == "patch a; partial a active");
            co_await live.tree->remove("a");
            CHECK(live.take_log() == "partial a gone");
        });
    }

    CO_TEST_CASE("a listener that does not go on keeps a row as it is (LDR-55)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a1}}]", [](Live& live) -> Task<> {
            const Effect veto = live.root().on<PatchContextEvent>([](const std::string&,
                                                                     Next<bool>) { return false; });
            co_await live.tree->update("a", keys("{config: {tag: a2}}"));
            CHECK(live.take_log() == "");
            CHECK(live.states() == "a:active");
        });
    }

    CO_TEST_CASE("say what is applied, reloaded and unloaded where that is asked for (LDR-53)") {
        MountOptions options;
        options.logs = true;
        co_await with_rows(
            "[{id: g, name: 'cordis:group', group: true, config: []}]",
            std::move(options),
            nullptr,
            [](Live& live) -> Task<> {
                static_cast<void>(co_await live.tree->create(row("{id: a, name: needs_nobody}")));
                co_await live.tree->update("a", keys("{config: {x: 1}}"));
                co_await live.tree->remove("a");
                co_await live.tree->remove("g");
                CHECK(
                    live.take_log() ==
                    "apply plugin needs_nobody; reload plugin needs_nobody; "
                    "unload plugin needs_nobody"
                );
            }
        );
    }
}

TEST_SUITE("a row that ends itself") {
    CO_TEST_CASE("is switched off, and stays so (LDR-51, PIT-L20)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            live.row("a").fiber->request_dispose();
            co_await live.tree->await();

            CHECK(live.states() == "a:disabled");
            CHECK(
                live.row("a").options ==
                row("{id: a, name: tracer, config: {tag: a}, disabled: true}")
            );
            CHECK(live.take_log() == "dispose a");
        });
    }

    CO_TEST_CASE(
        "is told from one whose child, group, provider or loader ends (LDR-52, PIT-L10, "
        "PIT-L11)"
    ) {
        co_await with_rows(
            "- {id: p, name: provides_greeting}\n"
            "- id: g\n"
            "  name: cordis:group\n"
            "  inject: [greeting]\n"
            "  config: [{id: n, name: needs_greeting}]\n",
            [](Live& live) -> Task<> {
                const FiberPtr row = live.row("n").fiber;
                const FiberPtr child =
                    row->context().inject({}, [](Context) -> Task<> { co_return; });
                co_await child->settled();
                co_await child->dispose();
                co_await live.tree->update("p", keys("{config: {text: other}}"));
                co_await live.tree->update("p", keys("{disabled: true}"));
                co_await live.tree->await();

                CHECK(live.states() == "p:disabled g:pending n:disposed");
                co_await live.tree->update("p", keys("{disabled: null}"));

                CHECK(live.states() == "p:active g:active n:active");
                CHECK(live.row("n").options == testing::row("{id: n, name: needs_greeting}"));
            }
        );
    }
}

TEST_SUITE("groups") {
    CO_TEST_CASE("run themselves while their rows are off, with the flag (LDR-44)") {
        co_await with_rows(
            "- {id: g, name: 'cordis:group', group: true, disabled: true, config: [{id: a, name: "
            "tracer, config: {tag: a}}]}\n"
            "- {id: h, name: 'cordis:group', disabled: true, config: [{id: b, name: tracer}]}\n",
            [](Live& live) -> Task<> {
                CHECK(live.row("g").fiber->state() == FiberState::active);
                CHECK(live.row("a").fiber == nullptr);
                CHECK(live.row("h").fiber == nullptr);
                co_await live.tree->update("g", keys("{disabled: false}"));
                CHECK(live.states() == "g:active a:active h:disabled b:disabled");
                co_await live.tree->update("g", keys("{disabled: true}"));
                CHECK(live.row("g").fiber->state() == FiberState::active);
                CHECK(live.take_log() == "apply a; dispose a");
            }
        );
    }

    CO_TEST_CASE("change their rows in place (LDR-43)") {
        co_await with_rows(
            "- {id: g, name: 'cordis:group', config: [{id: a, name: tracer, config: {tag: a}}, "
            "{id: b, name: tracer, config: {tag: b}}]}\n",
            [](Live& live) -> Task<> {
                const FiberPtr group = live.row("g").fiber;
                const FiberPtr kept = live.row("a").fiber;
                co_await live.tree->update(
                    "g",
                    keys("{config: [{id: a, name: tracer, config: {tag: a}}, {id: c, name: tracer, "
                         "config: {tag: c}}]}")
                );

                CHECK(live.row("g").fiber == group);
                CHECK(live.row("a").fiber == kept);
                CHECK(live.take_log() == "apply c; dispose b");
            }
        );
    }

    CO_TEST_CASE("are evaluated anew with their expressions at every decision (EXP-7)") {
        MountOptions options;
        options.scope.environment["OFF"] = "";
        co_await with_rows(
            "[{id: a, name: tracer, disabled: !!js process.env.OFF, config: {tag: a}}]",
            std::move(options),
            nullptr,
            [](Live& live) -> Task<> {
                CHECK(live.states() == "a:active");
                co_await live.tree->update(
                    "a", keys("{disabled: !!js \"process.env.OFF === ''\"}")
                );
                CHECK(live.states() == "a:disabled");
                CHECK(
                    live.row("a").options.as_object()->find("disabled")->as_expression() != nullptr
                );
            }
        );
    }
}

TEST_SUITE("EntryTree::await()") {
    CO_TEST_CASE("fails with the one failure, or with all of them (LDR-56)") {
        MountOptions options;
        options.keep_going = true;
        co_await with_rows(
            "[{id: x, name: tracer, config: {fail: one}}]",
            std::move(options),
            nullptr,
            [](Live& live) -> Task<> {
                const std::string one = co_await failure_of(live.tree->await());
                CHECK(one == "failed to apply loader entry x (tracer): one");
            }
        );
        MountOptions again;
        again.keep_going = true;
        co_await with_rows(
            "[{id: x, name: tracer, config: {fail: one}}, {id: y, name: tracer, config: {fail: "
            "two}}]",
            std::move(again),
            nullptr,
            [](Live& live) -> Task<> {
                const std::string both = co_await failure_of(live.tree->await());
                CHECK(
                    both ==
                    "loader fibers failed: failed to apply loader entry x (tracer): one; "
                    "failed to apply loader entry y (tracer): two"
                );
            }
        );
    }

    CO_TEST_CASE("names the rows that are still loading at its deadline (DIF-L11, LDR-60)") {
        co_await with_rows("[{id: g, name: 'cordis:group', config: []}]", [](Live& live) -> Task<> {
            Starter slow = [&live]() -> Task<> {
                static_cast<void>(co_await live.tree->create(row("{id: slow, name: never_ready}")));
            };
            const Effect creating = live.root().spawn("create", slow());
            const std::string failure =
                co_await failure_of(live.tree->await(std::chrono::milliseconds{50}));

            CHECK(contains(failure, "loader entries are still loading: 'slow' (never_ready"));
            co_await creating.dispose();
        });
    }

    CO_TEST_CASE("is what a row may wait for with an intercept of the loader (LDR-58, LDR-59)") {
        co_await with_rows(
            "- {id: late, name: tracer, inject: {loader: {await: true}}, config: {tag: late}}\n"
            "- {id: a, name: tracer, config: {tag: a}}\n",
            [](Live& live) -> Task<> {
                CHECK(live.states() == "late:active a:active");
                co_await live.tree->remove("late");
                live.log.clear();
                co_await live.replace(
                    "- {id: late, name: tracer, intercept: {loader: {await: true}}, inject: "
                    "[loader], config: {tag: late}}\n"
                    "- {id: a, name: tracer, config: {tag: a2}}\n"
                );
                co_await live.tree->await();
                CHECK(live.take_log() == "dispose a; apply a2; apply late");
            }
        );
    }
}

TEST_SUITE("the end of the loader") {
    CO_TEST_CASE("stops all rows, and an operation under way ends quietly (LDR-42, LDR-46)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            Starter slow = [&live]() -> Task<> {
                static_cast<void>(co_await live.tree->create(row("{id: slow, name: never_ready}")));
            };
            const Effect creating = live.root().spawn("create", slow());
            const FiberPtr loader = live.row("a").fiber->parent_fiber();
            co_await loader->dispose();

            CHECK(live.row("a").fiber->state() == FiberState::disposed);
            CHECK(live.row("a").options == row("{id: a, name: tracer, config: {tag: a}}"));
            CHECK_FALSE(contains(live.take_log(), "rollback"));
        });
    }

    CO_TEST_CASE("an operation from inside a body that it would wait for is refused (DIF-L13)") {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            std::string failure;
            const auto self = std::make_shared<PluginDescriptor>();
            self->name = "impatient";
            self->apply = [&live, &failure](Context, const Value&) -> Task<> {
                Task<> removal = live.tree->remove("x");
                failure = co_await failure_of(std::move(removal));
            };
            const FiberPtr fiber = live.root().plugin(self);
            co_await fiber->settled();

            CHECK(contains(failure, "would wait for the caller"));
        });
    }
}
