#include "context_fixture.hpp"

#include <cordon/base/aggregate_error.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;

/// An exporter that writes `name level text` into the trace.
class LoggerFixture : public ContextFixture {
public:
    LogSink sink(std::string name) {
        return [this, name](const LogRecord& record) {
            note("{} {} {}", name, to_string(record.level), record.message);
        };
    }

    /// One line of each level.
    static void say_all(const Logger& logger) {
        logger.error("e");
        logger.warn("w");
        logger.info("i");
        logger.debug("d");
    }
};

struct Unprintable {};

}  // namespace

template <>
struct fmt::formatter<Unprintable> : fmt::formatter<int> {
    template <typename FormatContext>
    auto format(const Unprintable& /*value*/, FormatContext& context) const
        -> decltype(context.out()) {
        throw std::runtime_error{"unprintable"};
    }
};

TEST_SUITE("Logger") {
    // LOG-1, LOG-4
    TEST_CASE_FIXTURE(LoggerFixture, "speaks at four levels under its name, with time and fiber") {
        const auto before = std::chrono::system_clock::now();
        say_all(root.logger("cache"));
        root.logger().info("{} of {}", 1, 2);

        REQUIRE(logs.size() == 5);
        CHECK(logs[0].level == LogLevel::error);
        CHECK(logs[1].level == LogLevel::warn);
        CHECK(logs[2].level == LogLevel::info);
        CHECK(logs[3].level == LogLevel::debug);
        CHECK(logs[3].name == "cache");
        CHECK(logs[4].name == "root");
        CHECK(logs[4].message == "1 of 2");
        CHECK(logs[4].time >= before);
        CHECK(logs[4].fiber.lock() == root.fiber());
    }

    // LOG-2
    TEST_CASE_FIXTURE(LoggerFixture, "is named after the fiber, in lower case with hyphens") {
        root.plugin(plugin_of("MyPlugin", {}, [](const Context& context) {
            context.log(LogLevel::info, "hello");
        }));
        turn();

        REQUIRE(logs.size() == 1);
        CHECK(logs[0].name == "my-plugin");
        CHECK(hyphenated("HTTPServer2Go") == "http-server2-go");
        CHECK(hyphenated("my_plugin") == "my-plugin");
        CHECK(hyphenated("root") == "root");
    }

    // LOG-2
    TEST_CASE_FIXTURE(LoggerFixture, "an intercept layer may name it, and the innermost one wins") {
        const Context outer = root.intercept("logger", Object{{"name", "outer"}});
        outer.plugin(plugin_of("MyPlugin", {}, [](const Context& context) {
            context.logger().info("1");
            context.intercept("logger", Object{{"name", "inner"}}).logger().info("2");
            context.logger("own").info("3");
        }));
        turn();

        REQUIRE(logs.size() == 3);
        CHECK(logs[0].name == "outer");
        CHECK(logs[1].name == "inner");
        CHECK(logs[2].name == "own");
    }

    // LOG-3
    TEST_CASE_FIXTURE(
        LoggerFixture, "a service speaks under its own name unless the caller has one"
    ) {
        std::function<void(const Context&)> serve;
        root.plugin(plugin_of("Server", {}, [&](const Context& own) {
            serve = [own](const Context& caller) {
                own.logger_for(caller).info("served");
            };
        }));
        const FiberPtr client = root.plugin(plugin_of("client"));
        turn();
        serve(client->context());
        serve(client->context().intercept("logger", Object{{"name", "named"}}));

        REQUIRE(logs.size() == 2);
        CHECK(logs[0].name == "server");
        CHECK(logs[1].name == "named");
        serve = nullptr;
    }

    // LOG-6
    TEST_CASE_FIXTURE(LoggerFixture, "its own level counts where an exporter has none") {
        root.log_exporter(LogExporter{sink("x"), {}});
        say_all(root.intercept("logger", Object{{"level", "debug"}}).logger());
        CHECK(take_trace() == Lines{"x error e", "x warn w", "x info i", "x debug d"});

        say_all(root.intercept("logger", Object{{"level", 0}}).logger());
        CHECK(take_trace() == Lines{"x error e"});

        say_all(root.intercept("logger", Object{{"level", "loud"}}).logger());
        CHECK(take_trace() == Lines{"x error e", "x warn w", "x info i"});
    }

    // LOG-5
    TEST_CASE_FIXTURE(LoggerFixture, "counts every call, those that nobody wants included") {
        container.set_log([&](const LogRecord& record) { logs.push_back(record); });
        root.logger().debug("dropped");
        root.logger().info("kept");

        REQUIRE(logs.size() == 1);
        CHECK(logs[0].sequence == 2);
    }

    // LOG-8
    TEST_CASE_FIXTURE(LoggerFixture, "says the cause of an error before the error") {
        const Error inner{"disk full", "SYSTEM_ERROR"};
        const Error outer{"cannot save", "SAVE", std::make_shared<const Error>(inner)};
        root.logger().error(outer);

        CHECK(errors() == Lines{"root: disk full", "root: cannot save"});
    }

    // LOG-8
    TEST_CASE_FIXTURE(LoggerFixture, "says the members of an aggregate instead of it") {
        const AggregateError several{
            "a test",
            {std::make_exception_ptr(Error{"one"}),
             std::make_exception_ptr(std::runtime_error{"two"})}};
        root.logger().error(std::make_exception_ptr(several));

        CHECK(errors() == Lines{"root: one", "root: two"});
    }

    TEST_CASE_FIXTURE(LoggerFixture, "an argument that cannot be formatted is said so") {
        root.logger().info("{}", Unprintable{});

        REQUIRE(logs.size() == 1);
        CHECK(logs[0].message == "a log message could not be formatted: unprintable");
    }
}

TEST_SUITE("Context::log_exporter()") {
    // LOG-6, DIF-16
    TEST_CASE_FIXTURE(LoggerFixture, "DIF-16: without thresholds warnings are shown, details not") {
        root.log_exporter(LogExporter{sink("x"), {}});
        say_all(root.logger());

        CHECK(trace == Lines{"x error e", "x warn w", "x info i"});
    }

    // LOG-6
    TEST_CASE_FIXTURE(LoggerFixture, "a threshold by name wins over the exporter's own") {
        LogThresholds thresholds;
        thresholds.levels.emplace("loud", LogLevel::debug);
        thresholds.fallback = LogLevel::error;
        root.log_exporter(LogExporter{sink("x"), thresholds});
        say_all(root.logger("loud"));
        say_all(root.logger("quiet"));

        CHECK(trace == Lines{"x error e", "x warn w", "x info i", "x debug d", "x error e"});
    }

    // LOG-9, PIT-17
    TEST_CASE_FIXTURE(LoggerFixture, "PIT-17: taking back the first leaves the second") {
        const Effect first = root.log_exporter(LogExporter{sink("first"), {}});
        root.log_exporter(LogExporter{sink("second"), {}});
        CHECK(first.label() == "ctx.logger.exporter()");

        first.request_dispose();
        root.logger().info("i");

        CHECK(trace == Lines{"second info i"});
    }

    // LOG-9
    TEST_CASE_FIXTURE(LoggerFixture, "an exporter goes with the fiber that added it") {
        const FiberPtr fiber = root.plugin(plugin_of("p", {}, [&](const Context& context) {
            context.log_exporter(LogExporter{sink("x"), {}});
        }));
        turn();
        root.logger().info("1");
        await(fiber->dispose());
        root.logger().info("2");

        CHECK(trace == Lines{"x info 1"});
    }

    // LOG-14
    TEST_CASE_FIXTURE(LoggerFixture, "DIF-7: one that fails is reported once, to the others") {
        root.log_exporter(LogExporter{
            [](const LogRecord&) { throw std::runtime_error{"full"}; }, {}});
        root.log_exporter(LogExporter{sink("x"), {}});
        root.logger().info("1");
        root.logger().info("2");

        CHECK(trace == Lines{"x error a log exporter failed: full", "x info 1", "x info 2"});
    }

    TEST_CASE_FIXTURE(LoggerFixture, "what an exporter logs itself does not come back to it") {
        root.log_exporter(LogExporter{
            [&](const LogRecord& record) {
                note("{}", record.message);
                root.logger().info("about {}", record.message);
            },
            {}});
        root.logger().info("1");

        CHECK(trace == Lines{"1"});
        REQUIRE(root.recent_log().size() == 2);
        CHECK(root.recent_log()[1].message == "about 1");
    }
}

TEST_SUITE("Context::recent_log()") {
    // LOG-9
    TEST_CASE_FIXTURE(ContextFixture, "keeps the last 1000 records") {
        for (int number = 1; number <= 1001; ++number) {
            root.logger().info("{}", number);
        }
        root.logger().debug("a detail");

        const std::vector<LogRecord> recent = root.recent_log();
        REQUIRE(recent.size() == 1000);
        CHECK(recent.front().message == "2");
        CHECK(recent.back().message == "1001");
    }
}

TEST_SUITE("LogLevel") {
    // DIF-16
    TEST_CASE("DIF-16: a number of other hosts never hides what is more severe") {
        CHECK(log_level_of_number(0) == LogLevel::error);
        CHECK(log_level_of_number(1) == LogLevel::info);
        CHECK(log_level_of_number(2) == LogLevel::info);
        CHECK(log_level_of_number(3) == LogLevel::debug);
        CHECK(log_level_of_number(4) == std::nullopt);
        CHECK(log_level_of_number(1.5) == std::nullopt);
    }

    TEST_CASE("is named by the words of config files") {
        for (const LogLevel level :
             {LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug}) {
            CHECK(log_level_named(to_string(level)) == level);
        }
        CHECK(log_level_named("warning") == std::nullopt);
    }
}
