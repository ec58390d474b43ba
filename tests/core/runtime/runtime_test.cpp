#include <cordon/base/error.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <string>
#include <vector>

#include <fixtures/plugins/greeting.hpp>
#include <support/coroutine.hpp>
#include <support/temporary_folder.hpp>

using cordon::BootOptions;
using cordon::Runtime;
using cordon::testing::TemporaryFolder;

namespace {

namespace asio = boost::asio;

BootOptions boot_list(const TemporaryFolder& folder, const std::string& rows) {
    BootOptions options;
    options.composition.config = folder.write("cordis.yml", rows);
    options.composition.plugin_path = {CORDON_FIXTURE_PLUGINS};
    options.cwd = folder.path();
    return options;
}

}  // namespace

TEST_SUITE("Runtime") {
    CO_TEST_CASE("boots a list of rows, shows their services, and stops") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(
            folder, "- {id: needs, name: needs_greeting}\n- {id: gives, name: provides_greeting}\n"
        );
        const auto runtime = co_await Runtime::boot(executor, std::move(options));
        CHECK(runtime->tree().rows().size() == 2);
        for (const cordon::RowStatus& row : runtime->tree().rows()) {
            CHECK(row.problem.empty());
            CHECK(row.fiber->state() == cordon::FiberState::active);
        }
        co_await runtime->shutdown();
        co_await runtime->shutdown();
    }

    CO_TEST_CASE("a failed boot leaves nothing running and says what failed") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(
            folder, "- {id: gives, name: provides_greeting}\n- {id: bad, name: throws_in_start}\n"
        );
        std::string code;
        std::string message;
        try {
            const auto runtime = co_await Runtime::boot(executor, std::move(options));
        } catch (const cordon::Error& error) {
            code = error.code();
            message = error.message();
        }
        CHECK(code == "BOOT_FAILED");
        CHECK(message.find("cordis.yml:2:") != std::string::npos);
    }

    CO_TEST_CASE("with keep_going the good rows run and the bad one has a problem (field-138)") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(
            folder, "- {id: gives, name: provides_greeting}\n- {id: bad, name: throws_in_start}\n"
        );
        options.keep_going = true;
        const auto runtime = co_await Runtime::boot(executor, std::move(options));
        const auto rows = runtime->tree().rows();
        REQUIRE(rows.size() == 2);
        CHECK(rows[0].problem.empty());
        CHECK_FALSE(rows[1].problem.empty());
        co_await runtime->shutdown();
    }

    CO_TEST_CASE("warnings of the composition reach the log with their place") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(folder, "- {id: gives, name: provides_greeting}\n");
        options.composition.patches = {folder.write("p.yml", "- {id: nobody, disabled: true}\n")};
        std::vector<std::string> lines;
        options.log = [&](const cordon::LogRecord& record) {
            lines.push_back(record.message);
        };
        const auto runtime = co_await Runtime::boot(executor, std::move(options));
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].find("p.yml:1:") != std::string::npos);
        co_await runtime->shutdown();
    }

    CO_TEST_CASE("what the host provides is there before any row (BOOT-1, BOOT-22)") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(folder, "- {id: needs, name: needs_greeting}\n");
        options.prepare = [](const cordon::Context& root) {
            using cordon::fixtures::Fixed;
            using cordon::fixtures::Greeting;
            root.provide<Greeting>(std::make_shared<Fixed<Greeting>>("host"));
        };
        const auto runtime = co_await Runtime::boot(executor, std::move(options));
        const auto farewell = runtime->context().get<cordon::fixtures::Farewell>();
        REQUIRE(static_cast<bool>(farewell));
        CHECK(farewell->text() == "after host");
        co_await runtime->shutdown();
    }

    CO_TEST_CASE("cancelling a boot stops what was started") {
        const TemporaryFolder folder;
        const auto executor = co_await asio::this_coro::executor;
        BootOptions options = boot_list(
            folder, "- {id: gives, name: provides_greeting}\n- {id: never, name: never_ready}\n"
        );
        cordon::Task<std::unique_ptr<Runtime>> boot = Runtime::boot(executor, std::move(options));
        const auto booted =
            co_await cordon::with_timeout(std::move(boot), std::chrono::milliseconds{300});
        CHECK_FALSE(booted.has_value());
    }
}
