#pragma once

#include <cordon/context/log.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cordon::logger_console {

enum class Align { left, right };

/// How records become lines (spec LOG-11..LOG-13).
struct LineFormat {
    /// 0: no escape codes; 1: 16 colours; 2 and more: 256 colours, and bold names.
    int colors = 0;
    /// Characters of one line; the rest is cut and shown by `...`.
    std::size_t max_length = 10240;
    /// `yyyy MM dd hh mm ss SSS` are replaced, local time; empty: no time.
    std::string show_time = "yyyy-MM-dd hh:mm:ss ";
    /// `+5ms` since the record before.
    bool show_diff = false;
    /// Columns that the name takes at least.
    std::size_t label_width = 0;
    /// Spaces between name and text.
    std::size_t label_margin = 1;
    Align label_align = Align::left;
};

/// The record as a line, without the line break at its end; further lines of its text stand below
/// the first. `previous` is when the record before was made.
[[nodiscard]] std::string console_line(
    const LogRecord& record,
    const LineFormat& format,
    std::optional<std::chrono::system_clock::time_point> previous
);

/// `time` in the words of LineFormat::show_time.
[[nodiscard]] std::string time_text(
    std::chrono::system_clock::time_point time, std::string_view pattern
);

/// The number of the colour of a name: the same for the same name, wherever and whenever (spec
/// LOG-12). Precondition: `colors` is not 0.
[[nodiscard]] int color_of(std::string_view name, int colors);

}  // namespace cordon::logger_console
