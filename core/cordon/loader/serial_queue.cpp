#include <cordon/base/error.hpp>
#include <cordon/loader/serial_queue.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <utility>

namespace cordon {

struct SerialQueue::Operation {
    Operation(const boost::asio::any_io_executor& strand, Starter starter)
        : start(std::move(starter)), done(strand) {}

    Starter start;
    Completion done;
    std::exception_ptr failure;
};

SerialQueue::SerialQueue(const boost::asio::any_io_executor& strand, std::function<void()> on_idle)
    : strand_(strand),
      on_idle_(std::move(on_idle)),
      tasks_(strand, [](const std::string&, const std::exception_ptr&) {}) {}

SerialQueue::OperationPtr SerialQueue::add(std::string name, Starter starter) {
    if (is_stopped_) {
        throw Error{"the loader has been stopped", "INACTIVE_EFFECT"};
    }
    auto operation = std::make_shared<Operation>(strand_, std::move(starter));
    ++pending_;
    tasks_.spawn(std::move(name), perform(operation, std::exchange(last_, operation->done)));
    return operation;
}

Task<> SerialQueue::perform(OperationPtr operation, std::optional<Completion> previous) {
    try {
        if (previous) {
            co_await previous->wait();
        }
        Task<> work = operation->start();
        co_await std::move(work);
    } catch (...) {
        operation->failure = std::current_exception();
    }
    operation->start = nullptr;
    if (--pending_ == 0 && !is_stopped_) {
        on_idle_();
    }
    operation->done.complete();
}

Task<> SerialQueue::run(std::string name, Starter operation) {
    const OperationPtr added = add(std::move(name), std::move(operation));
    co_await added->done.wait();
    if (added->failure) {
        std::rethrow_exception(added->failure);
    }
}

void SerialQueue::post(std::string name, Starter operation) {
    if (!is_stopped_) {
        static_cast<void>(add(std::move(name), std::move(operation)));
    }
}

Task<> SerialQueue::idle() {
    while (pending_ > 0) {
        const Completion last = *last_;
        co_await last.wait();
    }
}

Task<> SerialQueue::stop() {
    is_stopped_ = true;
    co_await tasks_.stop();
}

}  // namespace cordon
