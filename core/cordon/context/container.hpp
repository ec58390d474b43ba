#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/log.hpp>
#include <cordon/context/time_source.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>

namespace cordon {

class ContainerCore;

/// The container: one strand that owns services, fibers and listeners. Hosts make one and work with
/// its root context.
///
/// Lifetime: `shutdown()` must have completed before destruction. Contexts, fibers and effects may
/// outlive the container, but not the execution context of its executor.
/// Threads: made anywhere; everything else on the strand, for which
/// `asio::co_spawn(container.strand(), …)` is the way in.
class CORDON_API Container {
public:
    /// Work runs on a strand of `executor`.
    explicit Container(const boost::asio::any_io_executor& executor);
    ~Container();

    Container(const Container&) = delete;
    Container& operator=(const Container&) = delete;

    [[nodiscard]] boost::asio::any_io_executor strand() const;
    [[nodiscard]] Context root() const;

    /// The host's own receiver of records, one at a time and for the whole life of the container;
    /// plugins add theirs by `Context::log_exporter()`. Null ends it.
    void set_log(LogSink sink, LogLevel threshold = LogLevel::info);

    /// From now on a load or unload that lasts longer than `limit` is logged as a warning: the path
    /// of the fiber, what has not ended, and who waits for it. Nothing is given up (spec DIF-25).
    /// Zero: say nothing, as at first. `time` is for tests; null: the steady clock.
    void report_stalls(std::chrono::milliseconds limit, std::shared_ptr<TimeSource> time = nullptr);

    /// Disposes everything, last started first, refuses new work from then on and completes when
    /// nothing runs any more (spec DIF-29). Failures of undos were logged. Safe to call again, and
    /// from any executor.
    ///
    /// Errors: code `DEADLOCK` from inside a plugin's body or undo, which it waits for.
    /// Cancellation: takes effect once everything has ended.
    [[nodiscard]] Task<> shutdown();
    /// The same, and then throws what the undos have thrown that it ran: one failure as it is,
    /// several as an `AggregateError`, to everybody who asks (spec DIF-4, DIF-29).
    [[nodiscard]] Task<> shutdown_checked();

    /// Disposes everything and then accepts work again, on the strand (spec FIB-58, DIF-29).
    ///
    /// Errors: as `shutdown()`; `INACTIVE_EFFECT` behind one.
    [[nodiscard]] Task<> reset();

private:
    std::shared_ptr<ContainerCore> core_;
};

}  // namespace cordon
