#include <doctest/doctest.h>

#include <chrono>
#include <ctime>
#include <optional>
#include <set>
#include <string>

#include <logger-console/console_line.hpp>

using namespace cordon;
using namespace cordon::logger_console;

namespace {

using Clock = std::chrono::system_clock;

/// 2026-03-04 05:06:07.089, local time.
Clock::time_point moment() {
    std::tm local{};
    local.tm_year = 2026 - 1900;
    local.tm_mon = 2;
    local.tm_mday = 4;
    local.tm_hour = 5;
    local.tm_min = 6;
    local.tm_sec = 7;
    local.tm_isdst = -1;
    return Clock::from_time_t(std::mktime(&local)) + std::chrono::milliseconds{89};
}

LogRecord record(LogLevel level, std::string name, std::string message) {
    LogRecord result;
    result.level = level;
    result.name = std::move(name);
    result.message = std::move(message);
    result.time = moment();
    return result;
}

LineFormat without_time() {
    LineFormat format;
    format.show_time.clear();
    return format;
}

}  // namespace

TEST_SUITE("console_line()") {
    // LOG-13
    TEST_CASE("shows time, level, name and text") {
        CHECK(
            console_line(record(LogLevel::info, "root", "hello"), LineFormat{}, std::nullopt) ==
            "2026-03-04 05:06:07 [I] root hello"
        );
    }

    // LOG-13
    TEST_CASE("each level has its letter") {
        const auto line = [](LogLevel level) {
            return console_line(record(level, "a", "b"), without_time(), std::nullopt);
        };
        CHECK(line(LogLevel::error) == "[E] a b");
        CHECK(line(LogLevel::warn) == "[W] a b");
        CHECK(line(LogLevel::info) == "[I] a b");
        CHECK(line(LogLevel::debug) == "[D] a b");
    }

    // LOG-13
    TEST_CASE("the name stands in its columns, left or right") {
        LineFormat format = without_time();
        format.label_width = 6;
        format.label_margin = 2;
        const LogRecord said = record(LogLevel::info, "abc", "text");
        CHECK(console_line(said, format, std::nullopt) == "[I] abc     text");

        format.label_align = Align::right;
        CHECK(console_line(said, format, std::nullopt) == "[I]    abc  text");
    }

    // LOG-13
    TEST_CASE("further lines stand below the first") {
        LineFormat format = without_time();
        format.label_width = 4;
        CHECK(
            console_line(record(LogLevel::info, "ab", "one\r\ntwo\n"), format, std::nullopt) ==
            "[I] ab   one\n         two\n         "
        );
    }

    // LOG-13
    TEST_CASE("the time since the record before is shown where there is one") {
        LineFormat format = without_time();
        format.show_diff = true;
        const LogRecord said = record(LogLevel::info, "a", "b");
        CHECK(console_line(said, format, std::nullopt) == "[I] a b");
        CHECK(
            console_line(said, format, moment() - std::chrono::milliseconds{5}) == "[I] a b +5ms"
        );
    }

    // LOG-11
    TEST_CASE("each line is cut at the limit, at a border of characters") {
        LineFormat format = without_time();
        format.max_length = 3;
        CHECK(
            console_line(record(LogLevel::info, "a", "abcd\nabc\naä€x"), format, std::nullopt) ==
            "[I] a abc...\n      abc\n      aä€..."
        );
    }

    // LOG-12
    TEST_CASE("without colours there are no escape codes, with them the name is painted") {
        LineFormat format = without_time();
        const LogRecord said = record(LogLevel::info, "abc", "text");
        CHECK(console_line(said, format, std::nullopt).find('\x1b') == std::string::npos);

        format.colors = 1;
        const std::string basic = console_line(said, format, std::nullopt);
        CHECK(basic == "[I] \x1b[3" + std::to_string(color_of("abc", 1)) + "mabc\x1b[0m text");

        format.colors = 2;
        const std::string rich = console_line(said, format, std::nullopt);
        CHECK(rich == "[I] \x1b[38;5;" + std::to_string(color_of("abc", 2)) + ";1mabc\x1b[0m text");
    }

    // LOG-12
    TEST_CASE("the colour of a name is stable, and names differ") {
        CHECK(color_of("sandbox-local", 1) == color_of("sandbox-local", 1));
        CHECK(color_of("abc", 2) == 170);
        std::set<int> colors;
        for (int number = 0; number < 100; ++number) {
            colors.insert(color_of("name-" + std::to_string(number), 2));
        }
        CHECK(colors.size() > 30);
    }
}

TEST_SUITE("time_text()") {
    // LOG-13
    TEST_CASE("replaces the words of the pattern and keeps the rest") {
        CHECK(time_text(moment(), "dd.MM.yyyy hh:mm:ss.SSS ") == "04.03.2026 05:06:07.089 ");
        CHECK(time_text(moment(), "").empty());
    }
}
