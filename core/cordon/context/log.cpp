#include <cordon/context/log.hpp>

#include <array>
#include <cstddef>

namespace cordon {
namespace {

constexpr std::array<std::string_view, 4> kNames{"error", "warn", "info", "debug"};

}  // namespace

std::string_view to_string(LogLevel level) {
    return kNames[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level_named(std::string_view word) {
    for (std::size_t level = 0; level < kNames.size(); ++level) {
        if (kNames[level] == word) {
            return static_cast<LogLevel>(level);
        }
    }
    return std::nullopt;
}

std::optional<LogLevel> log_level_of_number(double number) {
    constexpr std::array kLevels{LogLevel::error, LogLevel::info, LogLevel::info, LogLevel::debug};
    for (std::size_t index = 0; index < kLevels.size(); ++index) {
        if (number == static_cast<double>(index)) {
            return kLevels[index];
        }
    }
    return std::nullopt;
}

bool LogThresholds::lets_through(
    LogLevel level, std::string_view name, std::optional<LogLevel> of_logger
) const {
    const auto own = levels.find(name);
    if (own != levels.end()) {
        return level <= own->second;
    }
    return level <= fallback.value_or(of_logger.value_or(LogLevel::info));
}

}  // namespace cordon
