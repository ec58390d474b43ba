#include "log_hub.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cordon {
namespace {

/// As many as a person may want to look back on (spec LOG-9).
constexpr std::size_t kRemembered = 1000;

bool wants(const LogThresholds& thresholds, const LogCall& call) {
    return thresholds.lets_through(call.level, call.logger.name, call.logger.level);
}

/// A text that cannot be made is said too: the failure is a fault of whoever logs.
std::string text_from(const LogHub::MakeText& make) {
    try {
        return make();
    } catch (...) {
        return fmt::format(
            "a log message could not be formatted: {}", message_of(std::current_exception())
        );
    }
}

}  // namespace

void LogHub::write(const LogCall& call, const MakeText& text) noexcept {
    ++calls_;
    try {
        if (!is_wanted(call)) {
            return;
        }
        const LogRecord record{
            call.level,
            call.logger.name,
            text_from(text),
            calls_,
            std::chrono::system_clock::now(),
            call.logger.fiber};
        remember(call, record);
        if (!is_delivering_) {
            deliver(call, record);
        }
    } catch (...) {
        // Out of memory: there is no better place to say so, and logging never steers a lifecycle.
        is_delivering_ = false;
    }
}

LogHub::ReceiverPtr LogHub::add(LogExporter exporter) {
    receivers_.push_back(std::make_shared<Receiver>(Receiver{std::move(exporter)}));
    return receivers_.back();
}

void LogHub::remove(const ReceiverPtr& receiver) {
    receiver->is_removed = true;
    std::erase(receivers_, receiver);
}

void LogHub::set_host_sink(LogSink sink, LogLevel threshold) {
    if (host_) {
        remove(std::exchange(host_, nullptr));
    }
    if (sink) {
        host_ = add(LogExporter{std::move(sink), LogThresholds{{}, threshold}});
    }
}

bool LogHub::is_wanted(const LogCall& call) const {
    return wants(recent_thresholds_, call) ||
           std::any_of(receivers_.begin(), receivers_.end(), [&](const ReceiverPtr& receiver) {
               return wants(receiver->exporter.thresholds, call);
           });
}

void LogHub::deliver(const LogCall& call, const LogRecord& record, const Receiver* except) {
    // A copy: an exporter may remove itself or others.
    const std::vector<ReceiverPtr> receivers = receivers_;
    for (const ReceiverPtr& receiver : receivers) {
        const bool is_concerned = !receiver->is_removed && receiver.get() != except;
        if (!is_concerned || !wants(receiver->exporter.thresholds, call)) {
            continue;
        }
        std::exception_ptr failure;
        is_delivering_ = true;
        try {
            receiver->exporter.write(record);
        } catch (...) {
            failure = std::current_exception();
        }
        is_delivering_ = false;
        // Once each, so that a full disk does not fill the other logs.
        if (failure && !std::exchange(receiver->has_failed, true)) {
            report(*receiver, failure);
        }
    }
}

void LogHub::remember(const LogCall& call, const LogRecord& record) {
    if (!wants(recent_thresholds_, call)) {
        return;
    }
    recent_.push_back(record);
    if (recent_.size() > kRemembered) {
        recent_.pop_front();
    }
}

void LogHub::report(const Receiver& failed, const std::exception_ptr& failure) {
    const Logger::Identity logger{"logger", std::nullopt, {}};
    const LogCall call{LogLevel::error, logger};
    const LogRecord record{
        call.level,
        logger.name,
        fmt::format("a log exporter failed: {}", message_of(failure)),
        ++calls_,
        std::chrono::system_clock::now(),
        {}};
    remember(call, record);
    deliver(call, record, &failed);
}

}  // namespace cordon
