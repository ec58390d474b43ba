#include <cordon/async/shield.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/assert.hpp>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

struct TaskGroup::Entry {
    std::string name;
    asio::cancellation_signal cancel;
};

TaskGroup::TaskGroup(const asio::any_io_executor& strand, OnFailure on_failure)
    : strand_(strand), on_failure_(std::move(on_failure)), drained_(strand) {}

TaskGroup::~TaskGroup() {
    BOOST_ASSERT_MSG(tasks_.empty(), "TaskGroup destroyed before stop() completed");
}

void TaskGroup::spawn(std::string task_name, Task<> task) {
    BOOST_ASSERT_MSG(!stopping_, "TaskGroup::spawn() called after stop()");

    const auto position = tasks_.emplace(tasks_.end());
    position->name = std::move(task_name);

    auto on_end = [this, position](const std::exception_ptr& failure) {
        on_finished(position, failure);
    };
    asio::co_spawn(
        strand_,
        std::move(task),
        asio::bind_cancellation_slot(
            position->cancel.slot(), asio::bind_executor(strand_, std::move(on_end))
        )
    );
}

Task<> TaskGroup::stop() {
    stopping_ = true;
    for (Entry& task : tasks_) {
        task.cancel.emit(asio::cancellation_type::terminal);
    }
    if (tasks_.empty()) {
        drained_.complete();
    }
    co_await shield(strand_, drained_.wait());
}

void TaskGroup::on_finished(Position task, const std::exception_ptr& failure) {
    const std::string name = std::move(task->name);
    tasks_.erase(task);
    if (failure && !is_cancellation(failure)) {
        on_failure_(name, failure);
    }
    if (stopping_ && tasks_.empty()) {
        drained_.complete();
    }
}

bool is_cancellation(const std::exception_ptr& failure) noexcept {
    try {
        std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
        return error.code() == asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

}  // namespace cordon
