#include <cordon/base/diagnostic.hpp>

#include <doctest/doctest.h>

#include <optional>

#include <logger-console/config.hpp>

using namespace cordon;
using namespace cordon::logger_console;

TEST_SUITE("logger-console: config") {
    // LOG-6, DIF-16
    TEST_CASE("levels are words or the numbers of other hosts") {
        Config config;
        config.levels = {{"a", Value{"debug"}}, {"b", Value{0}}, {"default", Value{2}}};
        const LogThresholds result = thresholds(config);

        CHECK(result.levels.at("a") == LogLevel::debug);
        CHECK(result.levels.at("b") == LogLevel::error);
        CHECK(result.fallback == LogLevel::info);
        CHECK(result.levels.size() == 2);
    }

    TEST_CASE("a level that is none is refused by its key") {
        Config config;
        config.levels = {{"a", Value{"loud"}}};

        CHECK_THROWS_WITH_AS(
            static_cast<void>(thresholds(config)),
            "error: config.levels.a: expected error, warn, info or debug, or a number from 0 to 3",
            DiagnosticError
        );
    }

    // LOG-12
    TEST_CASE("colours are what the terminal can unless the config says otherwise") {
        Config config;
        CHECK(line_format(config, 2).colors == 2);

        config.colors = Value{false};
        CHECK(line_format(config, 2).colors == 0);

        config.colors = Value{1};
        CHECK(line_format(config, 2).colors == 1);

        config.colors = Value{"many"};
        CHECK_THROWS_AS(static_cast<void>(line_format(config, 2)), DiagnosticError);
    }
}
