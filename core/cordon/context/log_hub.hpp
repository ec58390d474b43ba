#pragma once

#include <cordon/context/log.hpp>
#include <cordon/context/logger.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cordon {

/// One call of a logger.
struct LogCall {
    LogLevel level;
    const Logger::Identity& logger;
};

/// Where the records of a container go: to its exporters, and into a memory of the last ones. Not a
/// service and no fiber's effect, so that everybody can log at any time (spec CTX-1, CTX-2).
class LogHub {
public:
    struct Receiver {
        LogExporter exporter;
        bool is_removed = false;
        bool has_failed = false;
    };

    using ReceiverPtr = std::shared_ptr<Receiver>;

    /// Text is made only where somebody wants it.
    using MakeText = std::function<std::string()>;

    void write(const LogCall& call, const MakeText& text) noexcept;

    [[nodiscard]] ReceiverPtr add(LogExporter exporter);
    /// Removes this one, whatever came after it (spec PIT-17).
    void remove(const ReceiverPtr& receiver);

    /// The one of the host; null ends it.
    void set_host_sink(LogSink sink, LogLevel threshold);

    /// The last records, oldest first (spec LOG-9).
    [[nodiscard]] const std::deque<LogRecord>& recent() const noexcept { return recent_; }

private:
    [[nodiscard]] bool is_wanted(const LogCall& call) const;
    void deliver(const LogCall& call, const LogRecord& record, const Receiver* except = nullptr);
    void remember(const LogCall& call, const LogRecord& record);
    /// To all others.
    void report(const Receiver& failed, const std::exception_ptr& failure);

    std::vector<ReceiverPtr> receivers_;
    ReceiverPtr host_;
    std::deque<LogRecord> recent_;
    LogThresholds recent_thresholds_;
    std::uint64_t calls_ = 0;
    /// While an exporter runs. What it logs itself is only remembered, or it would never end.
    bool is_delivering_ = false;
};

}  // namespace cordon
