#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <exception>
#include <memory>

namespace cordon {

/// The ticks of an interval, one after the other:
///
///     Ticks ticks = timer->interval(context, 1s);
///     while (co_await ticks.next()) { … }
///
/// Letting go of it ends the interval. A tick that nobody waits for is kept; several are one (spec
/// DIF-31).
///
/// Threads: strand only.
class CORDON_API Ticks {
public:
    struct State;

    explicit Ticks(std::shared_ptr<State> state);
    ~Ticks();

    Ticks(Ticks&& other) noexcept;
    Ticks& operator=(Ticks&& other) noexcept;
    Ticks(const Ticks&) = delete;
    Ticks& operator=(const Ticks&) = delete;

    /// True with the next tick, false once it was stopped, again and again (spec TMR-5).
    ///
    /// Errors: what `fail()` was given; `Context has been disposed`, code `CONTEXT_DISPOSED`, once
    /// the owner has gone; code `TICKS_BUSY` while another wait is under way (spec DIF-31).
    /// Cancellation: ends the wait only.
    [[nodiscard]] Task<bool> next();

    /// Ends it without a failure.
    void stop();
    /// Ends it with a failure.
    void fail(const std::exception_ptr& failure);

private:
    std::shared_ptr<State> state_;
};

}  // namespace cordon
