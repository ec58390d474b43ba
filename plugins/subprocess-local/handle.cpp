#include "handle.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace cordon::subprocess_local {

namespace asio = boost::asio;

LocalHandle::LocalHandle(std::shared_ptr<LocalProcess> process) : process_(std::move(process)) {}

LocalHandle::~LocalHandle() {
    process_->abandon();
}

Task<ExitStatus> LocalHandle::wait() {
    const std::shared_ptr<LocalProcess> process = process_;
    bool cancelled = false;
    try {
        co_await process->ended().wait();
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted) {
            throw;
        }
        cancelled = true;
    }
    if (cancelled) {
        const auto none = asio::disable_cancellation();
        co_await asio::this_coro::reset_cancellation_state(none);
        process->terminate();
        co_await process->ended().wait();
        const auto anew = asio::enable_terminal_cancellation();
        co_await asio::this_coro::reset_cancellation_state(anew);
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    co_return process->status();
}

CollectedOutput LocalHandle::stdout_output() const {
    return process_->collected_output();
}

CollectedOutput LocalHandle::stderr_output() const {
    return process_->collected_error_output();
}

}  // namespace cordon::subprocess_local
