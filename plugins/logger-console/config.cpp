#include "config.hpp"

#include <cordon/base/diagnostic.hpp>

#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace cordon::logger_console {
namespace {

[[noreturn]] void refuse(const Value& value, std::string subject, std::string problem) {
    Diagnostic diagnostic;
    diagnostic.place = value.place();
    diagnostic.subject = std::move(subject);
    diagnostic.problem = std::move(problem);
    throw DiagnosticError{{std::move(diagnostic)}};
}

std::optional<LogLevel> level_of(const Value& value) {
    if (const std::string* word = value.as_string()) {
        return log_level_named(*word);
    }
    const double* number = value.as_number();
    return number == nullptr ? std::nullopt : log_level_of_number(*number);
}

}  // namespace

LineFormat line_format(const Config& config, int terminal_colors) {
    LineFormat format;
    format.colors = terminal_colors;
    if (const double* number = config.colors.as_number()) {
        format.colors = static_cast<int>(*number);
    } else if (const bool* boolean = config.colors.as_boolean(); boolean != nullptr && !*boolean) {
        format.colors = 0;
    } else if (!config.colors.is_null()) {
        refuse(config.colors, "config.colors", "expected false, 0, 1 or 2");
    }
    format.max_length = config.max_length;
    format.show_time = config.show_time;
    format.show_diff = config.show_diff;
    format.label_width = config.label.width;
    format.label_margin = config.label.margin;
    format.label_align = config.label.align;
    return format;
}

LogThresholds thresholds(const Config& config) {
    LogThresholds result;
    for (const auto& [name, value] : config.levels) {
        const std::optional<LogLevel> level = level_of(value);
        if (!level) {
            refuse(
                value,
                "config.levels." + name,
                "expected error, warn, info or debug, or a number from 0 to 3"
            );
        }
        if (name == "default") {
            result.fallback = level;
        } else {
            result.levels.emplace(name, *level);
        }
    }
    return result;
}

int terminal_colors() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string_view{value == nullptr ? "" : value};
    };
    if (::isatty(STDERR_FILENO) == 0 || !variable("NO_COLOR").empty() ||
        variable("TERM") == "dumb") {
        return 0;
    }
    const bool has_many =
        variable("TERM").find("256") != std::string_view::npos || !variable("COLORTERM").empty();
    return has_many ? 2 : 1;
}

}  // namespace cordon::logger_console
