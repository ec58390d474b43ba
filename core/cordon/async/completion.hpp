#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace cordon {

/// Something that happens once and that any number of coroutines may wait for, before or after.
/// The joinable result of a disposal (spec DIF-2) is the typical use.
///
/// Copies share the same state.
/// Threads: every call must come from `strand`.
class CORDON_API Completion {
public:
    explicit Completion(const boost::asio::any_io_executor& strand);

    /// Wakes every waiter. A second call does nothing.
    void complete();

    [[nodiscard]] bool is_complete() const noexcept;

    /// Returns at once where it has completed already.
    ///
    /// Cancellation: ends the wait with `operation_aborted`; other waiters are not affected.
    [[nodiscard]] Task<> wait() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace cordon
