#pragma once

#include "console_line.hpp"

#include <cordon/config/value.hpp>
#include <cordon/context/log.hpp>

#include <boost/describe.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace cordon::logger_console {

struct Label {
    std::uint32_t width = 0;
    std::uint32_t margin = 1;
    Align align = Align::left;
};

struct Config {
    /// `false` or 0 for none, 1 for 16 colours, 2 and more for 256; absent: what the terminal can.
    Value colors;
    std::uint32_t max_length = 10240;
    /// By the name of a logger, `default` for the others: a word or a number.
    std::map<std::string, Value> levels;
    bool show_diff = false;
    std::string show_time = "yyyy-MM-dd hh:mm:ss ";
    Label label;
};

BOOST_DESCRIBE_ENUM(Align, left, right)
BOOST_DESCRIBE_STRUCT(Label, (), (width, margin, align))
BOOST_DESCRIBE_STRUCT(Config, (), (colors, max_length, levels, show_diff, show_time, label))

/// Errors: `DiagnosticError` for `colors` that are neither a number nor `false`.
[[nodiscard]] LineFormat line_format(const Config& config, int terminal_colors);

/// Errors: `DiagnosticError` for a level that is no level.
[[nodiscard]] LogThresholds thresholds(const Config& config);

/// How many colours standard error shows, as LineFormat::colors counts: none where it is no
/// terminal, or where NO_COLOR is set.
[[nodiscard]] int terminal_colors();

}  // namespace cordon::logger_console
