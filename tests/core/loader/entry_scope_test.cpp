#include "live.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fixtures/plugins/greeting.hpp>
#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using fixtures::Farewell;
using testing::contains;
using testing::failure_of;
using testing::keys;
using testing::Live;
using testing::row;
using testing::with_rows;

namespace {

std::string farewell(const Live& live) {
    const auto service = live.root().get<Farewell>();
    return service ? service->text() : "nobody";
}

}  // namespace

TEST_SUITE("isolate on a row") {
    CO_TEST_CASE(
        "restarts a consumer only where its service resolves otherwise (ISO-1, ISO-4, "
        "LDR-24)"
    ) {
        co_await with_rows(
            "- {id: p, name: provides_greeting}\n"
            "- {id: n, name: needs_greeting}\n",
            [](Live& live) -> Task<> {
                const FiberPtr consumer = live.row("n").fiber;
                co_await live.tree->update("n", keys("{isolate: {other: true}}"));
                CHECK(live.take_log() == "");
                co_await live.tree->update("n", keys("{isolate: {greeting: true}}"));
                CHECK(live.take_log() == "stopped needs_greeting");
                CHECK(live.states() == "p:active n:pending");
                co_await live.tree->update("n", keys("{isolate: null}"));
                CHECK(live.take_log() == "started needs_greeting");
                CHECK(live.row("n").fiber == consumer);
            }
        );
    }

    CO_TEST_CASE("moves what a provider provides without a restart of it (ISO-5)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting}\n"
            "- {id: n, name: needs_greeting}\n",
            [](Live& live) -> Task<> {
                co_await live.tree->update("p", keys("{isolate: {other: true}}"));
                CHECK(live.take_log() == "");
                co_await live.tree->update("p", keys("{isolate: {greeting: true}}"));
                CHECK(live.take_log() == "stopped needs_greeting");
                CHECK(live.greeting() == "nobody");
                co_await live.tree->update("p", keys("{isolate: null}"));
                CHECK(live.take_log() == "started needs_greeting");
                CHECK(live.greeting() == "hello");
            }
        );
    }

    CO_TEST_CASE("with a label joins all rows of that label, wherever they are (ISO-2, ISO-6)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting, config: {text: outer}}\n"
            "- {id: q, name: provides_greeting, isolate: {greeting: mine}, config: {text: inner}}\n"
            "- {id: g, name: 'cordis:group', config: [{id: n, name: needs_greeting}]}\n",
            [](Live& live) -> Task<> {
                CHECK(farewell(live) == "after outer");
                co_await live.tree->update("g", keys("{isolate: {greeting: mine}}"));
                CHECK(farewell(live) == "after inner");
                CHECK(live.take_log() == "stopped needs_greeting; started needs_greeting");
            }
        );
    }

    CO_TEST_CASE("of a group is inherited, and overridden by the row's own (ISO-3)") {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  isolate: {greeting: true}\n"
            "  config:\n"
            "    - {id: p, name: provides_greeting}\n"
            "    - {id: n, name: needs_greeting}\n",
            [](Live& live) -> Task<> {
                CHECK(live.states() == "g:active p:active n:active");
                CHECK(live.greeting() == "nobody");
                static_cast<void>(co_await live.tree->create(
                    row("{id: m, name: needs_greeting, isolate: {greeting: true, farewell: true}}"),
                    RowPlace{"g"}
                ));
                CHECK(live.states() == "g:active p:active n:active m:pending");
            }
        );
    }

    CO_TEST_CASE("that says the same again changes nothing (ISO-7)") {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  config:\n"
            "    - id: h\n"
            "      name: cordis:group\n"
            "      isolate: {greeting: L}\n"
            "      config: [{id: p, name: provides_greeting}, {id: n, name: needs_greeting}]\n",
            [](Live& live) -> Task<> {
                co_await live.tree->update("h", keys("{isolate: {greeting: L}}"));
                co_await live.tree->update("g", keys("{isolate: {greeting: L}}"));
                CHECK(live.take_log() == "");
            }
        );
    }

    CO_TEST_CASE("applies to a row that moves in and out (ISO-8)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting, config: {text: outer}}\n"
            "- {id: n, name: needs_greeting}\n"
            "- id: g\n"
            "  name: cordis:group\n"
            "  isolate: {greeting: true}\n"
            "  config: [{id: q, name: provides_greeting, config: {text: inner}}]\n",
            [](Live& live) -> Task<> {
                const FiberPtr consumer = live.row("n").fiber;
                co_await live.tree->update("n", {}, RowPlace{"g"});
                CHECK(farewell(live) == "after inner");
                co_await live.tree->update("n", {}, RowPlace{});
                CHECK(farewell(live) == "after outer");
                CHECK(live.row("n").fiber == consumer);
                CHECK(
                    live.take_log() ==
                    "stopped needs_greeting; started needs_greeting; stopped "
                    "needs_greeting; started needs_greeting"
                );
            }
        );
    }

    CO_TEST_CASE("is undone where the slot it moves a service to is taken (DIF-L8, ISO-12)") {
        co_await with_rows(
            "- {id: p, name: provides_greeting, config: {text: one}}\n"
            "- {id: q, name: provides_greeting, isolate: {greeting: true}, config: {text: two}}\n",
            [](Live& live) -> Task<> {
                const std::string failure =
                    co_await failure_of(live.tree->update("q", keys("{isolate: null}")));

                CHECK(contains(failure, "failed to apply loader entry q (provides_greeting): "));
                CHECK(contains(failure, "service \"greeting\" has been registered at <p>"));
                CHECK(live.states() == "p:active q:active");
                CHECK(live.greeting() == "one");
                CHECK(live.take_log() == "");
            }
        );
    }

    CO_TEST_CASE("by name is forgotten with its last row, and made anew (ISO-11)") {
        co_await with_rows(
            "[{id: p, name: provides_greeting, isolate: {greeting: L}}]",
            [](Live& live) -> Task<> {
                co_await live.tree->remove("p");
                static_cast<void>(co_await live.tree->create(
                    row("{id: q, name: provides_greeting, isolate: {greeting: L}}")
                ));
                static_cast<void>(co_await live.tree->create(
                    row("{id: n, name: needs_greeting, isolate: {greeting: L}}")
                ));
                CHECK(live.states() == "q:active n:active");
            }
        );
    }
}

TEST_SUITE("intercept on a row") {
    CO_TEST_CASE(
        "stacks from the outermost group to the row (ISO-9), and is read at the next use "
        "(ISO-10)"
    ) {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  intercept: {greeting: {a: outer, b: outer, c: outer}}\n"
            "  config:\n"
            "    - id: h\n"
            "      name: cordis:group\n"
            "      intercept: {greeting: {b: inner, c: inner}}\n"
            "      config: [{id: x, name: tracer, intercept: {greeting: {c: own}}}]\n",
            [](Live& live) -> Task<> {
                const Context inside = live.row("x").fiber->context();
                CHECK(inside.config_for("greeting") == keys("{a: outer, b: inner, c: own}"));
                co_await live.tree->update("g", keys("{intercept: {greeting: {a: changed}}}"));

                CHECK(inside.config_for("greeting") == keys("{a: changed, b: inner, c: own}"));
                CHECK(live.take_log() == "");
            }
        );
    }

    CO_TEST_CASE(
        "comes from the inject of the row too, for the row alone (DIF-L7, LDR-47, "
        "LDR-48, LDR-49)"
    ) {
        co_await with_rows(
            "- id: g\n"
            "  name: cordis:group\n"
            "  inject: {loader: {x: 1}}\n"
            "  config: [{id: a, name: tracer, inject: {loader: {y: 2}}}]\n",
            [](Live& live) -> Task<> {
                const FiberPtr row = live.row("a").fiber;
                CHECK(row->context().config_for("loader").find("y") != nullptr);
                const FiberPtr child =
                    row->context().inject({}, [](Context) -> Task<> { co_return; });
                CHECK(child->required().empty());
                co_await child->settled();
            }
        );
    }
}

TEST_SUITE("expressions of rows") {
    CO_TEST_CASE(
        "are for the row's own fiber, plugins beneath get what they are given (EXP-4, "
        "EXP-6)"
    ) {
        co_await with_rows(
            "[{id: p, name: provides_greeting, config: {text: !!js '\"a\" + \"b\"'}}]",
            [](Live& live) -> Task<> {
                CHECK(live.greeting() == "ab");
                Value seen;
                auto child = std::make_shared<PluginDescriptor>();
                child->name = "child";
                child->apply = [&seen](Context, Value config) -> Task<> {
                    seen = config;
                    co_return;
                };
                const Value raw = row("{text: !!js 1 + 1}");
                const FiberPtr fiber = live.row("p").fiber->context().plugin(child, raw);
                co_await fiber->settled();

                CHECK(seen == raw);
                const Value options = live.row("p").options;
                const Value* config = options.as_object()->find("config");
                CHECK(config->as_object()->find("text")->as_expression() != nullptr);
            }
        );
    }
}
