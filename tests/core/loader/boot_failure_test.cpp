#include "boot.hpp"

#include <cordon/base/error.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/tree.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include <support/coroutine.hpp>
#include <support/temporary_folder.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::boot;
using testing::contains;
using testing::line_of;
using testing::Outcome;
using testing::Setup;

TEST_SUITE("a boot that fails") {
    CO_TEST_CASE("names file, line, row and cause of every plugin that cannot be loaded (field-155)"
    ) {
        const testing::TemporaryFolder folder;
        folder.write("text.so", "no library");
        Setup setup{
            {"- insert:\n"
             "    - {id: good, name: provides_greeting}\n"
             "    - {id: missing, name: provides_greetin}\n"
             "    - {id: text, name: ./text.so}\n"
             "    - {id: abi, name: wrong_abi}\n"},
            {},
            {},
            {}};
        setup.options.base_folder = folder.path();

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.code == "BOOT_FAILED");
        CHECK(line_of(outcome.failure, "good") == "");
        CHECK(contains(
            line_of(outcome.failure, "missing"),
            "1.yml:3:12: row 'missing' (provides_greetin): failed to import loader entry missing "
            "(provides_greetin): there is no plugin 'provides_greetin'"
        ));
        CHECK(contains(line_of(outcome.failure, "text"), "it is no ELF file"));
        CHECK(contains(line_of(outcome.failure, "abi"), "is built for another ABI"));
        CHECK(outcome.log == "");
    }

    CO_TEST_CASE("puts whatever was thrown at the start into words (LDR-16, field-157)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: a, name: throws_in_start}\n"
            "    - {id: b, name: throws_int}\n"
            "    - {id: c, name: throws_own_type}\n"
        );

        CHECK(
            line_of(outcome.failure, "a") ==
            "1.yml:2:12: row 'a' (throws_in_start): failed to apply loader entry a "
            "(throws_in_start): the start went wrong"
        );
        CHECK(contains(line_of(outcome.failure, "b"), "(throws_int): 42"));
        CHECK(contains(line_of(outcome.failure, "c"), "OwnFailure"));
    }

    CO_TEST_CASE("leaves nothing running when the error comes out (BOOT-3)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: p, name: provides_greeting}\n"
            "    - {id: n, name: needs_greeting}\n"
            "    - {id: x, name: throws_in_start, isolate: {greeting: true}}\n"
        );

        CHECK(outcome.code == "BOOT_FAILED");
        CHECK(contains(outcome.log_of_mount, "p: started provides_greeting"));
        const std::size_t dependent = outcome.log_of_mount.find("n: stopped needs_greeting");
        const std::size_t provider = outcome.log_of_mount.find("p: stopped provides_greeting");
        REQUIRE(dependent != std::string::npos);
        CHECK(dependent < provider);
        CHECK(provider != std::string::npos);
    }

    CO_TEST_CASE("says the root cause before those who wait for it (field-137)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: n1, name: needs_greeting}\n"
            "    - {id: n2, name: needs_greeting, isolate: {farewell: true}}\n"
            "    - {id: p, name: throws_in_start}\n"
        );

        CHECK(outcome.failure.find("row 'p'") < outcome.failure.find("row 'n1'"));
        CHECK(
            line_of(outcome.failure, "n1") ==
            "1.yml:2:12: row 'n1' (needs_greeting): pending (waiting for service: greeting): "
            "its provider row 'p' failed"
        );
        CHECK(contains(line_of(outcome.failure, "n2"), "its provider row 'p' failed"));
    }

    CO_TEST_CASE("says that nobody provides a service, and the nearest one (field-137)") {
        const Outcome outcome = co_await boot(
            "- insert: [{id: p, name: provides_greeting}, {id: x, name: needs_nobody}]"
        );

        CHECK(contains(
            line_of(outcome.failure, "x"),
            "pending (waiting for service: greating): nobody provides it; perhaps "
            "'greeting' is meant"
        ));
        CHECK(line_of(outcome.failure, "p") == "");
    }

    CO_TEST_CASE("says that the provider is disabled (field-137)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: p, name: provides_greeting, disabled: true}\n"
            "    - {id: n, name: needs_greeting}\n"
        );

        CHECK(contains(line_of(outcome.failure, "n"), "nobody provides it (row 'p' is disabled)"));
    }

    CO_TEST_CASE("says that the provider stands in another scope") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: p, name: provides_greeting, isolate: {greeting: true}}\n"
            "    - {id: n, name: needs_greeting}\n"
        );

        CHECK(contains(line_of(outcome.failure, "n"), "row 'p' provides it in another scope"));
    }

    CO_TEST_CASE("shows the way of a circle (field-139)") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: a, name: provides_greeting, inject: [farewell]}\n"
            "    - {id: b, name: needs_greeting}\n"
        );

        CHECK(contains(
            line_of(outcome.failure, "a"), "row 'a' -> farewell -> row 'b' -> greeting -> row 'a'"
        ));
    }

    CO_TEST_CASE("shows the circle of a row that needs what it provides itself (field-139)") {
        const Outcome outcome =
            co_await boot("- insert: [{id: a, name: provides_greeting, inject: [greeting]}]");

        CHECK(contains(line_of(outcome.failure, "a"), "row 'a' -> greeting -> row 'a'"));
    }

    CO_TEST_CASE("names the row and place of an expression that fails (EXP-8, DIF-L6)") {
        const Outcome in_config =
            co_await boot("- insert: [{id: a, name: provides_greeting, config: {text: !!js nope}}]"
            );
        const Outcome in_disabled =
            co_await boot("- insert: [{id: a, name: provides_greeting, disabled: !!js nope}]");

        CHECK(contains(
            line_of(in_config.failure, "a"),
            "failed to apply loader entry a (provides_greeting): 1.yml:1:"
        ));
        CHECK(contains(in_config.failure, "nope is not defined"));
        CHECK(contains(
            line_of(in_disabled.failure, "a"), "failed to apply loader entry a (provides_greeting)"
        ));
        CHECK(contains(in_disabled.failure, "nope is not defined"));
    }

    CO_TEST_CASE("shows every problem that a plugin finds in its config") {
        const Outcome outcome =
            co_await boot("- insert: [{id: a, name: provides_greeting, config: {txt: 1, text: 2}}]"
            );

        CHECK(contains(outcome.failure, "bad key txt"));
        CHECK(contains(outcome.failure, "bad key text"));
    }

    CO_TEST_CASE("names what the dialect has and this loader has not") {
        const Outcome outcome = co_await boot(
            "- insert:\n"
            "    - {id: c, name: 'cordis:timer'}\n"
            "    - {id: e, name: needs_greeting, group: true, config: []}\n"
        );

        CHECK(contains(line_of(outcome.failure, "c"), "there is no builtin 'cordis:timer'"));
        CHECK(contains(line_of(outcome.failure, "e"), "'group' on anything but cordis:group is not")
        );
    }

    CO_TEST_CASE("keeps its root cause as the cause of the error") {
        const Outcome outcome = co_await boot(
            "- insert: [{id: n, name: needs_greeting}, {id: a, name: throws_in_start}]"
        );

        CHECK(outcome.deepest == "the start went wrong");
    }
}

TEST_SUITE("with keep_going") {
    CO_TEST_CASE("the good rows run and the others say why they do not (field-138)") {
        Setup setup{
            {"- insert:\n"
             "    - {id: good, name: provides_greeting}\n"
             "    - {id: bad, name: throws_in_start, isolate: {greeting: true}}\n"
             "    - {id: none, name: no-such}\n"
             "    - {id: good2, name: needs_greeting}\n"},
            {},
            {},
            {}};
        setup.options.keep_going = true;

        const Outcome outcome = co_await boot(std::move(setup));

        CHECK(outcome.failure == "");
        CHECK(outcome.states == "good:active bad:failed none:none good2:active");
        CHECK(outcome.rows[0].problem == "");
        CHECK(contains(outcome.rows[1].problem, "failed to apply loader entry bad"));
        CHECK(contains(outcome.rows[2].problem, "failed to import loader entry none"));
        CHECK(contains(outcome.log, "the start went wrong"));
        CHECK(contains(outcome.log, "row 'none' (no-such): failed to import"));
        CHECK_FALSE(contains(outcome.log_of_mount, "stopped provides_greeting"));
    }
}

namespace {

Task<> mount_for_ever(Container& container, std::string& failure) {
    ModuleResolver modules{{}, {CORDON_FIXTURE_PLUGINS}};
    Composition rows =
        testing::compose_texts({"- insert:\n"
                                "    - {id: slow, name: never_ready}\n"
                                "    - {id: p, name: provides_greeting}\n"});
    MountOptions options;
    options.report_loading_after = std::chrono::milliseconds{1};
    try {
        co_await EntryTree::mount(container.root(), std::move(rows), modules, std::move(options));
    } catch (const std::exception& error) {
        failure = error.what();
    }
}

}  // namespace

TEST_SUITE("a body that never ends") {
    TEST_CASE("is named by a warning, and a cancelled boot takes everything back (PIT-L19)") {
        boost::asio::io_context io;
        Container container{io.get_executor()};
        boost::asio::cancellation_signal cancel;
        std::string log;
        std::string failure;
        container.set_log([&](const LogRecord& record) {
            log += record.message + "\n";
            if (contains(record.message, "still loading")) {
                cancel.emit(boost::asio::cancellation_type::terminal);
            }
        });
        boost::asio::co_spawn(
            container.strand(),
            mount_for_ever(container, failure),
            boost::asio::bind_cancellation_slot(cancel.slot(), boost::asio::detached)
        );
        io.run();

        CHECK(contains(log, "still loading after 0 s: 'slow' (never_ready, 1.yml:2:12)"));
        CHECK(failure != "");
        CHECK(contains(log, "stopped never_ready"));
        CHECK(contains(log, "stopped provides_greeting"));

        io.restart();
        boost::asio::co_spawn(container.strand(), container.shutdown(), boost::asio::detached);
        io.run();
    }
}
