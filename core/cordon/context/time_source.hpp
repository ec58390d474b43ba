#pragma once

#include <cordon/base/export.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace cordon {

/// What timers go by. Tests give them one that they wind by hand.
///
/// Threads: strand only.
class CORDON_API TimeSource {
public:
    using Clock = std::chrono::steady_clock;

    /// Destroying it before it has rung means that it never does.
    class CORDON_API Alarm {
    public:
        Alarm() = default;
        virtual ~Alarm();

        Alarm(const Alarm&) = delete;
        Alarm& operator=(const Alarm&) = delete;
    };

    TimeSource() = default;
    virtual ~TimeSource();

    TimeSource(const TimeSource&) = delete;
    TimeSource& operator=(const TimeSource&) = delete;

    [[nodiscard]] virtual Clock::time_point now() const = 0;

    /// Has `ring` called once at `due` or soon after, never before this returns. `ring` may destroy
    /// the alarm.
    [[nodiscard]] virtual std::unique_ptr<Alarm> set(
        Clock::time_point due, std::function<void()> ring
    ) = 0;
};

/// The steady clock; alarms ring on `strand`.
[[nodiscard]] CORDON_API std::shared_ptr<TimeSource> steady_time(
    const boost::asio::any_io_executor& strand
);

}  // namespace cordon
