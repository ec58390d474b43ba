#pragma once

#include <cordon/base/export.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

class Fiber;

/// In falling severity, so that a threshold lets everything at or before it through (spec DIF-16).
enum class LogLevel { error, warn, info, debug };

/// `error`, `warn`, `info`, `debug`.
[[nodiscard]] CORDON_API std::string_view to_string(LogLevel level);

/// Empty for any other word.
[[nodiscard]] CORDON_API std::optional<LogLevel> log_level_named(std::string_view word);

/// What a numeric threshold in a config file written for other hosts lets through. Their numbers
/// are error 0, info 1, warn 2, debug 3; a threshold of info or warn lets warnings through here
/// (spec DIF-16). Empty for any other number.
[[nodiscard]] CORDON_API std::optional<LogLevel> log_level_of_number(double number);

struct LogRecord {
    LogLevel level = LogLevel::info;
    /// Who speaks: the name of a logger.
    std::string name;
    std::string message;
    /// Rises with every call of a logger, those that nobody is told of included, so a gap is not a
    /// loss (spec LOG-5).
    std::uint64_t sequence = 0;
    std::chrono::system_clock::time_point time;
    /// In whose name it was said; it may be gone by now.
    std::weak_ptr<Fiber> fiber;
};

/// Receives records. Called on the strand; what it throws changes nothing for whoever logs (spec
/// DIF-7).
using LogSink = std::function<void(const LogRecord&)>;

/// Which levels a receiver of records wants (spec LOG-6).
struct LogThresholds {
    /// By the name of a logger.
    std::map<std::string, LogLevel, std::less<>> levels;
    /// For the others. Empty: what the logger itself says, else `info`.
    std::optional<LogLevel> fallback;

    [[nodiscard]] CORDON_API bool lets_through(
        LogLevel level, std::string_view name, std::optional<LogLevel> of_logger
    ) const;
};

struct LogExporter {
    LogSink write;
    LogThresholds thresholds;
};

}  // namespace cordon
