#include "live.hpp"

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

TEST_SUITE("EntryTree::create()") {
    CO_TEST_CASE("starts a row, waits for it and puts it in its place (LDR-13, LDR-31)") {
        co_await with_rows("[{id: a, name: tracer}]", [](Live& live) -> Task<> {
            Value added = row("{id: b, name: tracer, config: {tag: b}}");
            RowPlace first;
            first.index = 0;

            const std::string id = co_await live.tree->create(std::move(added), first);

            CHECK(id == "b");
            CHECK(live.states() == "b:active a:active");
            CHECK(live.take_log() == "apply b");
        });
    }

    CO_TEST_CASE("gives a row without an id eight hexadecimal digits, and keeps them (LDR-4)") {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            Value first = row("{name: tracer}");
            Value second = first;

            const std::string one = co_await live.tree->create(std::move(first));
            const std::string other = co_await live.tree->create(std::move(second));

            CHECK(one.size() == 8);
            CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
            CHECK(one != other);
            CHECK(live.row(one).options == row("{name: tracer, id: '" + one + "'}"));
        });
    }

    CO_TEST_CASE("does not wait for services that are missing (LDR-14, LDR-57)") {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            Value added = row("{id: n, name: needs_greeting}");

            const std::string id = co_await live.tree->create(std::move(added));
            co_await live.tree->await();

            CHECK(live.states() == "n:pending");
        });
    }

    CO_TEST_CASE("records a disabled row without opening its plugin (LDR-15)") {
        co_await with_rows("[]", [](Live& live) -> Task<> {
            Value added = row("{id: x, name: no-such, disabled: true}");

            const std::string id = co_await live.tree->create(std::move(added));

            CHECK(live.states() == "x:disabled");
        });
    }

    CO_TEST_CASE("leaves nothing behind where the plugin cannot be found or fails (LDR-16, DIF-L14)"
    ) {
        co_await with_rows("[{id: a, name: tracer}]", [](Live& live) -> Task<> {
            Value none = row("{id: x, name: no-such}");
            Value bad = row("{id: y, name: tracer, config: {fail: broken}}");
            std::string imported;
            std::string applied;
            std::string cause;
            try {
                static_cast<void>(co_await live.tree->create(std::move(none)));
            } catch (const Error& error) {
                imported = error.message();
            }
            try {
                static_cast<void>(co_await live.tree->create(std::move(bad)));
            } catch (const Error& error) {
                applied = error.message();
                cause = error.deepest().message();
            }

            CHECK(contains(imported, "failed to import loader entry x (no-such): there is no"));
            CHECK(applied == "failed to apply loader entry y (tracer): broken");
            CHECK(cause == "broken");
            CHECK(live.states() == "a:active");
        });
    }

    CO_TEST_CASE("nests the text of a failure inside a group (LDR-17)") {
        co_await with_rows("[{id: g, name: 'cordis:group', config: []}]", [](Live& live) -> Task<> {
            Value bad = row("{id: x, name: tracer, config: {fail: deep}}");
            RowPlace inside;
            inside.group = "g";
            std::string failure;
            try {
                static_cast<void>(co_await live.tree->create(std::move(bad), inside));
            } catch (const Error& error) {
                failure = error.message();
            }

            CHECK(
                failure ==
                "failed to apply loader entry g (cordis:group): failed to apply loader entry x "
                "(tracer): deep"
            );
        });
    }

    CO_TEST_CASE("refuses an id that is there already, and what is no row (PIT-L2, LDR-37)") {
        co_await with_rows("[{id: a, name: tracer}]", [](Live& live) -> Task<> {
            Value twice = row("{id: a, name: tracer}");
            Value no_name = row("{id: b}");
            std::string duplicate;
            std::string shapeless;
            try {
                static_cast<void>(co_await live.tree->create(std::move(twice)));
            } catch (const Error& error) {
                duplicate = error.message();
            }
            try {
                static_cast<void>(co_await live.tree->create(std::move(no_name)));
            } catch (const Error& error) {
                shapeless = error.message();
            }

            CHECK(duplicate == "duplicate loader entry id: a");
            CHECK(contains(shapeless, "name"));
            CHECK(live.states() == "a:active");
            CHECK(live.take_log() == "");
        });
    }
}

TEST_SUITE("EntryTree::update()") {
    CO_TEST_CASE(
        "restarts the same fiber where the config changed, and nothing where it is equal "
        "(LDR-20, LDR-21, LDR-22)"
    ) {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a1}}]", [](Live& live) -> Task<> {
            const FiberPtr before = live.row("a").fiber;
            const auto uid = before->uid();
            Object equal = keys("{config: {tag: a1}}");
            Object changed = keys("{config: {tag: a2}, extra: 1}");

            co_await live.tree->update("a", std::move(equal));
            CHECK(live.take_log() == "");
            co_await live.tree->update("a", std::move(changed));

            CHECK(live.take_log() == "dispose a1; apply a2");
            CHECK(live.row("a").fiber == before);
            CHECK(before->uid() == uid);
        });
    }

    CO_TEST_CASE("keeps keys that it does not know, and drops a key that is set to null (LDR-2)") {
        co_await with_rows(
            "[{id: a, name: tracer, config: {tag: a1}, label: x}]",
            [](Live& live) -> Task<> {
                Object changes = keys("{config: null, disabled: false}");

                co_await live.tree->update("a", std::move(changes));

                CHECK(
                    live.row("a").options == row("{id: a, name: tracer, label: x, disabled: false}")
                );
            }
        );
    }

    CO_TEST_CASE("replaces the instance where name or inject changed (LDR-23)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            const auto first = live.row("a").fiber->uid();
            Object inject = keys("{inject: [loader]}");
            Object name = keys("{name: '@other/tracer'}");

            co_await live.tree->update("a", std::move(inject));
            const auto second = live.row("a").fiber->uid();
            co_await live.tree->update("a", std::move(name));

            CHECK(first != second);
            CHECK(second != live.row("a").fiber->uid());
            CHECK(live.take_log() == "dispose a; apply a; dispose a; apply a");
        });
    }

    CO_TEST_CASE("stops a row that is switched off, and starts it anew (LDR-25)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            const auto first = live.row("a").fiber->uid();
            Object off = keys("{disabled: true}");
            Object on = keys("{disabled: null}");

            co_await live.tree->update("a", std::move(off));
            CHECK(live.states() == "a:disabled");
            CHECK(
                live.row("a").options ==
                row("{id: a, name: tracer, config: {tag: a}, disabled: true}")
            );
            co_await live.tree->update("a", std::move(on));

            CHECK(live.take_log() == "dispose a; apply a");
            CHECK(live.row("a").fiber->uid() != first);
        });
    }

    CO_TEST_CASE(
        "leaves the running plugin alone where the new one cannot be opened (LDR-26, "
        "LDR-27)"
    ) {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            const FiberPtr before = live.row("a").fiber;
            Object changes = keys("{name: no-such}");

            const std::string failure =
                co_await failure_of(live.tree->update("a", std::move(changes)));

            CHECK(contains(failure, "failed to import loader entry a (no-such)"));
            CHECK(live.row("a").fiber == before);
            CHECK(live.row("a").name == "tracer");
            CHECK(live.take_log() == "");
        });
    }

    CO_TEST_CASE("starts the old plugin again where the new one fails (LDR-28)") {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            Object changes = keys("{name: throws_in_start}");

            const std::string failure =
                co_await failure_of(live.tree->update("a", std::move(changes)));

            CHECK(
                failure == "failed to apply loader entry a (throws_in_start): the start went wrong"
            );
            CHECK(live.states() == "a:active");
            CHECK(live.row("a").name == "tracer");
            CHECK(
                live.take_log() ==
                "dispose a; started throws_in_start; the start went wrong; stopped "
                "throws_in_start; apply a"
            );
        });
    }

    CO_TEST_CASE("gives the same fiber its old config back where it fails with the new one (LDR-29)"
    ) {
        co_await with_rows("[{id: a, name: tracer, config: {tag: a}}]", [](Live& live) -> Task<> {
            const FiberPtr before = live.row("a").fiber;
            Object changes = keys("{config: {tag: b, fail: no}}");

            const std::string failure =
                co_await failure_of(live.tree->update("a", std::move(changes)));

            CHECK(failure == "failed to apply loader entry a (tracer): no");
            CHECK(live.row("a").fiber == before);
            CHECK(live.states() == "a:active");
            CHECK(live.row("a").options == row("{id: a, name: tracer, config: {tag: a}}"));
            CHECK(live.take_log() == "dispose a; apply b; no; dispose b; apply a");
        });
    }

    CO_TEST_CASE("does not touch the plugin where its config is refused (EXP-8)") {
        co_await with_rows("[{id: p, name: provides_greeting}]", [](Live& live) -> Task<> {
            Object changes = keys("{config: {txt: 1}}");
            Object unknown = keys("{config: {text: !!js nope}}");

            const std::string refused =
                co_await failure_of(live.tree->update("p", std::move(changes)));
            const std::string undefined =
                co_await failure_of(live.tree->update("p", std::move(unknown)));

            CHECK(contains(refused, "failed to apply loader entry p (provides_greeting): "));
            CHECK(contains(refused, "bad key txt"));
            CHECK(contains(undefined, "nope is not defined"));
            CHECK(live.states() == "p:active");
            CHECK(live.take_log() == "");
        });
    }

    CO_TEST_CASE("says so where the old state does not come back either (LDR-30, LDR-40)") {
        co_await with_rows(
            "[{id: a, name: fails_twice, config: {key: LDR-30}}]",
            [](Live& live) -> Task<> {
                Object changes = keys("{config: {key: LDR-30, n: 1}}");

                const std::string failure =
                    co_await failure_of(live.tree->update("a", std::move(changes)));

                CHECK(contains(
                    failure, "loader entry rollback failed: failed to apply loader entry a"
                ));
                CHECK(contains(failure, "failed to rollback loader entry a (fails_twice): "));
                CHECK(live.states() == "a:failed");
            }
        );
    }
}

TEST_SUITE("EntryTree::remove()") {
    CO_TEST_CASE("stops the row, waits, and forgets it (LDR-33)") {
        co_await with_rows(
            "[{id: a, name: tracer, config: {tag: a}}, {id: b, name: tracer}]",
            [](Live& live) -> Task<> {
                co_await live.tree->remove("a");

                CHECK(live.take_log() == "dispose a");
                CHECK(live.states() == "b:active");
                const std::string again = co_await failure_of(live.tree->remove("a"));
                CHECK(again == "cannot resolve entry a");
            }
        );
    }

    CO_TEST_CASE("a row inside a group, and a group with its rows (LDR-43)") {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  config: [{id: a, name: tracer, config: {tag: a}}, {id: b, name: tracer, config: "
            "{tag: b}}]\n",
            [](Live& live) -> Task<> {
                const FiberPtr group = live.row("g").fiber;
                co_await live.tree->remove("a");
                CHECK(live.states() == "g:active b:active");
                CHECK(live.row("g").fiber == group);
                co_await live.tree->remove("g");
                CHECK(live.states() == "");
                CHECK(live.take_log() == "dispose a; dispose b");
            }
        );
    }
}

TEST_SUITE("moving a row") {
    CO_TEST_CASE("between groups and the top level restarts nothing (LDR-34, ISO-8)") {
        co_await with_rows(
            "- {id: g, name: 'cordis:group', config: [{id: a, name: tracer, config: {tag: a}}]}\n"
            "- {id: h, name: 'cordis:group', config: []}\n",
            [](Live& live) -> Task<> {
                const FiberPtr before = live.row("a").fiber;
                RowPlace other;
                other.group = "h";

                co_await live.tree->update("a", {}, other);
                CHECK(live.row("a").owner == "h");
                co_await live.tree->update("a", {}, RowPlace{});

                CHECK(live.row("a").owner == "");
                CHECK(live.row("a").fiber == before);
                CHECK(before->parent_fiber() == live.row("h").fiber->parent_fiber());
                CHECK(live.take_log() == "");
                co_await live.tree->remove("h");
                co_await live.tree->remove("g");
                CHECK(live.states() == "a:active");
            }
        );
    }

    CO_TEST_CASE("into a group that is off stops it, and out of it starts it (LDR-34, LDR-45)") {
        co_await with_rows(
            "- {id: a, name: tracer, config: {tag: a}}\n"
            "- {id: g, name: 'cordis:group', disabled: true, config: []}\n",
            [](Live& live) -> Task<> {
                RowPlace inside;
                inside.group = "g";

                co_await live.tree->update("a", {}, inside);
                CHECK(live.states() == "g:disabled a:disabled");
                co_await live.tree->update("a", {}, RowPlace{});

                CHECK(live.states() == "g:disabled a:active");
                CHECK(live.take_log() == "dispose a; apply a");
            }
        );
    }

    CO_TEST_CASE("is undone with group, index and keys where it fails (LDR-35)") {
        co_await with_rows(
            "- {id: a, name: tracer, config: {tag: a}}\n"
            "- {id: b, name: tracer}\n"
            "- {id: g, name: 'cordis:group', config: []}\n",
            [](Live& live) -> Task<> {
                const FiberPtr before = live.row("a").fiber;
                RowPlace inside;
                inside.group = "g";
                Object changes = keys("{config: {tag: a2, fail: no}}");

                const std::string failure =
                    co_await failure_of(live.tree->update("a", std::move(changes), inside));

                CHECK(contains(failure, "failed to apply loader entry a (tracer): no"));
                CHECK(live.states() == "a:active b:active g:active");
                CHECK(live.row("a").fiber == before);
                CHECK(before->parent_fiber() == live.row("b").fiber->parent_fiber());
            }
        );
    }

    CO_TEST_CASE("needs a group as its target (LDR-6, LDR-7)") {
        co_await with_rows(
            "[{id: a, name: tracer}, {id: b, name: tracer}]",
            [](Live& live) -> Task<> {
                RowPlace no_group;
                no_group.group = "b";
                RowPlace nowhere;
                nowhere.group = "x:y:z";

                const std::string wrong = co_await failure_of(live.tree->update("a", {}, no_group));
                const std::string missing =
                    co_await failure_of(live.tree->update("a", {}, nowhere));

                CHECK(wrong == "entry b is not a group");
                CHECK(missing == "cannot resolve entry x:y:z");
            }
        );
    }
}

TEST_SUITE("the loader as a service") {
    CO_TEST_CASE("finds the row of a fiber, also of one beneath it (LDR-1, LDR-8)") {
        co_await with_rows(
            "- {id: g, name: 'cordis:group', config: [{id: a, name: tracer}]}\n",
            [](Live& live) -> Task<> {
                const auto loader = live.root().get<EntryTree>();
                REQUIRE(static_cast<bool>(loader));
                const FiberPtr row = live.row("a").fiber;
                const FiberPtr child =
                    row->context().inject({}, [](Context) -> Task<> { co_return; });

                CHECK(loader->locate(row) == "a");
                CHECK(loader->locate(child) == "a");
                CHECK(loader->locate(live.row("g").fiber) == "g");
                CHECK(loader->locate(live.root().fiber()) == std::nullopt);
                co_return;
            }
        );
    }

    CO_TEST_CASE("lets rows inside groups be counted depth first (LDR-3)") {
        co_await with_rows(
            "- {id: g, name: 'cordis:group', config: [{id: a, name: tracer}, {id: b, name: "
            "tracer}]}\n"
            "- {id: c, name: tracer}\n",
            [](Live& live) -> Task<> {
                CHECK(live.states() == "g:active a:active b:active c:active");
                co_return;
            }
        );
    }
}
