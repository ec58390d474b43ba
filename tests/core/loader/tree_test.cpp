#include "boot.hpp"

#include <cordon/loader/tree.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include <fixtures/plugins/greeting.hpp>
#include <support/coroutine.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using fixtures::Farewell;
using fixtures::Fixed;
using fixtures::Greeting;
using testing::boot;
using testing::contains;
using testing::Outcome;
using testing::Setup;

namespace {

/// What the service `S` says while the tree stands.
template <typename S>
Setup asking(std::string text, std::shared_ptr<std::string> answer) {
    Setup setup;
    setup.texts.push_back(std::move(text));
    setup.inspect = [answer = std::move(answer)](const Context& context, const EntryTree&) {
        const auto service = context.get<S>();
        *answer = service ? service->text() : "nobody";
    };
    return setup;
}

}  // namespace

TEST_SUITE("EntryTree::mount()") {
    CO_TEST_CASE("starts rows when their services are there, whatever their order in the file") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Farewell>(
            "- insert: [{id: n, name: needs_greeting}, {id: p, name: provides_greeting}]", answer
        );

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "n:active p:active");
        CHECK(*answer == "after hello");
    }

    CO_TEST_CASE("resolves names of other hosts through the aliases") {
        const Outcome outcome =
            co_await boot("- insert: [{id: p, name: '@other/provides_greeting'}]");

        CHECK(outcome.states == "p:active");
    }

    CO_TEST_CASE("gives a row its config with the expressions evaluated (EXP-3)") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Greeting>(
            "- insert: [{id: p, name: provides_greeting, config: {text: !!js process.cwd()}}]",
            answer
        );
        setup.options.scope.cwd = "/here";

        static_cast<void>(co_await boot(std::move(setup)));

        CHECK(*answer == "/here");
    }

    CO_TEST_CASE("leaves a key out whose expression is undefined") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Greeting>(
            "- insert: [{id: p, name: provides_greeting, config: {text: !!js process.env.NONE}}]",
            answer
        );

        static_cast<void>(co_await boot(std::move(setup)));

        CHECK(*answer == "hello");
    }

    CO_TEST_CASE("shows expressions the folder of the composition as baseUrl") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Greeting>(
            "- insert: [{id: p, name: provides_greeting, config: {text: !!js baseUrl}}]", answer
        );
        setup.options.base_folder = "/a folder/b";

        static_cast<void>(co_await boot(std::move(setup)));

        CHECK(*answer == "file:///a%20folder/b/");
    }

    CO_TEST_CASE("neither loads nor starts a disabled row (LDR-15)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: a, name: no-such-plugin, disabled: true}\n"
            "    - {id: b, name: throws_in_start, disabled: !!js 'true'}\n"
            "    - {id: c, name: provides_greeting, disabled: !!js \"process.platform === "
            "'win32'\"}\n"
        );

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "a:disabled b:disabled c:active");
    }

    CO_TEST_CASE("mounts one plugin several times (LDR-12)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: a, name: provides_greeting}\n"
            "    - {id: b, name: provides_greeting, isolate: {greeting: true}}\n"
        );

        CHECK(outcome.states == "a:active b:active");
    }

    CO_TEST_CASE("gives rows without an id eight hexadecimal digits (LDR-4)") {
        const Outcome outcome =
            co_await boot("- insert: [{name: provides_greeting}, {name: needs_greeting}]");

        REQUIRE(outcome.rows.size() == 2);
        CHECK(outcome.rows[0].id.size() == 8);
        CHECK(outcome.rows[0].id.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(outcome.rows[0].id != outcome.rows[1].id);
    }

    CO_TEST_CASE("makes a row wait for the services it adds itself (LDR-47)") {
        const Outcome outcome =
            co_await boot("- insert: [{id: p, name: provides_greeting, inject: [farewell]}]");

        CHECK(contains(outcome.failure, "pending (waiting for service: farewell)"));
    }
}

TEST_SUITE("groups") {
    CO_TEST_CASE("mount their rows") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: g, name: 'cordis:group', config: [{id: p, name: provides_greeting}]}\n"
            "    - {id: h, name: '@cordisjs/plugin-group', group: true,"
            " config: [{id: n, name: needs_greeting}]}\n"
        );

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "g:active p:active h:active n:active");
    }

    CO_TEST_CASE("switch off every row inside, at any depth (LDR-44, LDR-45)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - id: g\n"
            "      name: cordis:group\n"
            "      group: true\n"
            "      disabled: true\n"
            "      config:\n"
            "        - {id: h, name: 'cordis:group', config: [{id: x, name: throws_in_start}]}\n"
        );

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "g:disabled h:disabled x:disabled");
    }

    CO_TEST_CASE("give their rows a slot of their own with isolate (ISO-1, ISO-13)") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Farewell>(
            "- insert:\n"
            "    - {id: p, name: provides_greeting, config: {text: outer}}\n"
            "    - id: g\n"
            "      name: cordis:group\n"
            "      isolate: {greeting: true}\n"
            "      config:\n"
            "        - {id: q, name: provides_greeting, config: {text: inner}}\n"
            "        - {id: n, name: needs_greeting}\n",
            answer
        );

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(*answer == "after inner");
    }

    CO_TEST_CASE("and rows share a slot by its label (ISO-2)") {
        const auto answer = std::make_shared<std::string>();
        Setup setup = asking<Farewell>(
            "- insert:\n"
            "    - {id: p, name: provides_greeting, isolate: {greeting: mine}, config: {text: a}}\n"
            "    - {id: q, name: provides_greeting, config: {text: b}}\n"
            "    - {id: n, name: needs_greeting, isolate: {greeting: mine}}\n",
            answer
        );

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(*answer == "after a");
    }

    CO_TEST_CASE("wait for what the group row itself needs") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - id: g\n"
            "      name: cordis:group\n"
            "      inject: [farewell]\n"
            "      config: [{id: p, name: provides_greeting}]\n"
        );

        CHECK(contains(testing::line_of(outcome.failure, "g"), "waiting for service: farewell"));
        CHECK(contains(
            testing::line_of(outcome.failure, "p"), "was not started, because its group 'g' was not"
        ));
    }
}

TEST_SUITE("providers by default") {
    CO_TEST_CASE("are mounted where a row needs the service and no row provides it") {
        Setup setup{{"- insert: [{id: n, name: needs_greeting}]"}, {}, {}, {}};
        setup.options.defaults = {{"greeting", "provides_greeting"}};

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "n:active default:greeting:active");
    }

    CO_TEST_CASE("bring the providers that they need themselves") {
        Setup setup{{"- insert: [{id: x, name: needs_nobody, inject: [farewell]}]"}, {}, {}, {}};
        setup.options.defaults = {
            {"farewell", "needs_greeting"}, {"greeting", "provides_greeting"}};
        setup.prepare = [](const Context& root) {
            root.provide("greating", std::make_shared<Fixed<Greeting>>("host"));
        };

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "x:active default:farewell:active default:greeting:active");
    }

    CO_TEST_CASE("are mounted although a row provides the service in a scope of its own") {
        Setup setup{
            {"- insert:\n"
             "    - {id: p, name: '@other/provides_greeting', isolate: {greeting: true}}\n"
             "    - {id: n, name: needs_greeting}\n"},
            {},
            {},
            {}};
        setup.options.defaults = {{"greeting", "provides_greeting"}};

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "p:active n:active default:greeting:active");
    }

    CO_TEST_CASE("are not mounted where nobody needs them, a row or the host provides them") {
        Setup setup{{"- insert: [{id: p, name: provides_greeting}]"}, {}, {}, {}};
        setup.options.defaults = {{"greeting", "no-such"}, {"farewell", "no-such"}};
        Setup with_host{{"- insert: [{id: n, name: needs_greeting}]"}, {}, {}, {}};
        with_host.options.defaults = {{"greeting", "no-such"}};
        with_host.prepare = [](const Context& root) {
            root.provide<Greeting>(std::make_shared<Fixed<Greeting>>("host"));
        };

        const Outcome by_row = co_await boot(std::move(setup));
        const Outcome by_host = co_await boot(std::move(with_host));

        CHECK(by_row.states == "p:active");
        CHECK(by_host.states == "n:active");
    }

    CO_TEST_CASE("do not replace a row of the same plugin that is switched off") {
        Setup setup{
            {"- insert:\n"
             "    - {id: greeting, name: '@other/provides_greeting', disabled: true}\n"
             "    - {id: n, name: needs_greeting}\n"},
            {},
            {},
            {}};
        setup.options.defaults = {{"greeting", "provides_greeting"}};

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(contains(outcome.failure, "nobody provides it; row 'greeting' is disabled"));
    }

    CO_TEST_CASE("that cannot be loaded are named as such") {
        Setup setup{{"- insert: [{id: n, name: needs_greeting}]"}, {}, {}, {}};
        setup.options.defaults = {{"greeting", "no-such"}};

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(
            contains(outcome.failure, "mounted by default, 'default:greeting' (no-such): failed to")
        );
    }
}
