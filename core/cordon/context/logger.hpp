#pragma once

#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/log.hpp>

#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cordon {

class ContainerCore;

/// Says things under one name; `Context::logger()` makes one. A cheap value.
///
///     context.logger().info("listening on {}", port);
///     context.logger("cache").debug("{} of {} entries evicted", gone, total);
///
/// Texts are formatted by fmt, checked at compile time, and only where somebody is told. Logging
/// never throws, whatever arguments and exporters do (spec DIF-7).
/// Threads: strand only.
class CORDON_API Logger {
public:
    struct Identity {
        std::string name;
        /// For exporters that have no opinion (spec LOG-6).
        std::optional<LogLevel> level;
        std::weak_ptr<Fiber> fiber;
    };

    Logger(std::shared_ptr<ContainerCore> core, Identity identity);

    [[nodiscard]] const std::string& name() const noexcept { return identity_.name; }

    template <typename... Arguments>
    void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) const noexcept {
        write(LogLevel::error, format, fmt::make_format_args(arguments...));
    }

    template <typename... Arguments>
    void warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) const noexcept {
        write(LogLevel::warn, format, fmt::make_format_args(arguments...));
    }

    template <typename... Arguments>
    void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) const noexcept {
        write(LogLevel::info, format, fmt::make_format_args(arguments...));
    }

    template <typename... Arguments>
    void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) const noexcept {
        write(LogLevel::debug, format, fmt::make_format_args(arguments...));
    }

    /// A failure: its causes first, each a record, then itself. An `AggregateError` is said by its
    /// members, each in that way, and not itself (spec LOG-8).
    void error(const std::exception_ptr& failure) const noexcept { say(LogLevel::error, failure); }

    void warn(const std::exception_ptr& failure) const noexcept { say(LogLevel::warn, failure); }

    void error(const Error& failure) const noexcept { say(LogLevel::error, failure); }

    void warn(const Error& failure) const noexcept { say(LogLevel::warn, failure); }

    /// A text as it is.
    void log(LogLevel level, std::string_view text) const noexcept;

private:
    void write(LogLevel level, fmt::string_view format, fmt::format_args arguments) const noexcept;
    void say(LogLevel level, const std::exception_ptr& failure) const noexcept;
    void say(LogLevel level, const Error& failure) const noexcept;

    std::shared_ptr<ContainerCore> core_;
    Identity identity_;
};

/// `MyPlugin`, `my_plugin` and `my plugin` as `my-plugin`: how loggers are named after fibers (spec
/// LOG-2).
[[nodiscard]] CORDON_API std::string hyphenated(std::string_view name);

}  // namespace cordon
