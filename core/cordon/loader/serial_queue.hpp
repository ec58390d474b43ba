#pragma once

#include <cordon/async/start_all.hpp>
#include <cordon/async/task.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace cordon {

/// Operations that run one after the other, in the order in which they were asked for. Private to
/// the room.
///
/// Lifetime: `stop()` must have completed before destruction. Threads: strand only.
class SerialQueue {
public:
    /// `on_idle` is called whenever the last operation has ended.
    SerialQueue(const boost::asio::any_io_executor& strand, std::function<void()> on_idle);

    /// Completes when `operation` has ended, after all that came before.
    ///
    /// Errors: what it threw; `operation_aborted` after `stop()`.
    /// Cancellation: ends the wait only.
    [[nodiscard]] Task<> run(std::string name, Starter operation);

    /// The same without waiting; a failure is the operation's own business.
    void post(std::string name, Starter operation);

    /// Waits until nothing is left to do.
    [[nodiscard]] Task<> idle();

    [[nodiscard]] bool is_idle() const noexcept { return pending_ == 0; }

    /// Cancels what runs and drops what waits.
    [[nodiscard]] Task<> stop();

private:
    struct Operation;
    using OperationPtr = std::shared_ptr<Operation>;

    [[nodiscard]] OperationPtr add(std::string name, Starter starter);
    Task<> perform(OperationPtr operation, std::optional<Completion> previous);

    boost::asio::any_io_executor strand_;
    std::function<void()> on_idle_;
    std::optional<Completion> last_;
    std::size_t pending_ = 0;
    bool is_stopped_ = false;
    TaskGroup tasks_;
};

}  // namespace cordon
