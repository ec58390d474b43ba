#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <string>

namespace cordon {

/// Runs coroutines that must not outlive their owner. Use it wherever Asio examples write
/// `asio::detached`: a detached coroutine can still run while the object it points to is gone.
///
/// Declare it as the last member, so that it is the first to be destroyed.
///
/// Lifetime: `stop()` must have completed before destruction; the destructor asserts it.
/// Threads: every call must come from `strand`.
class CORDON_API TaskGroup {
public:
    /// Called on `strand` when a task ends with an exception other than cancellation.
    using OnFailure = std::function<void(const std::string& task_name, const std::exception_ptr&)>;

    TaskGroup(const boost::asio::any_io_executor& strand, OnFailure on_failure);
    ~TaskGroup();

    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    /// Starts `task` on the strand. `task_name` appears in failure and shutdown messages.
    ///
    /// Precondition: `stop()` has not been called.
    void spawn(std::string task_name, Task<> task);

    /// Cancels every task and completes once the last one has ended. Safe to call again.
    ///
    /// Cancellation: takes effect after the last task has ended; see shield.hpp for callers that
    /// are cancelled already.
    [[nodiscard]] Task<> stop();

    [[nodiscard]] std::size_t size() const noexcept { return tasks_.size(); }

private:
    struct Entry;
    using Position = std::list<Entry>::iterator;

    void on_finished(Position task, const std::exception_ptr& failure);

    boost::asio::any_io_executor strand_;
    OnFailure on_failure_;
    std::list<Entry> tasks_;
    Completion drained_;
    bool stopping_ = false;
};

/// Whether `failure` is how Asio says that a coroutine was cancelled.
[[nodiscard]] CORDON_API bool is_cancellation(const std::exception_ptr& failure) noexcept;

}  // namespace cordon
