#pragma once

#include <cordon/base/export.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace cordon {

/// In falling severity, so that a threshold lets everything at or before it through (spec DIF-16).
enum class LogLevel { error, warn, info, debug };

struct LogRecord {
    LogLevel level = LogLevel::info;
    /// The fiber or service that speaks.
    std::string name;
    std::string message;
};

/// Receives every record of a container that passes its threshold. Called on the strand; what it
/// throws is swallowed, so that logging never steers a lifecycle (spec DIF-7).
using LogSink = std::function<void(const LogRecord&)>;

}  // namespace cordon
