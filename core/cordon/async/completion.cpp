#include <cordon/async/completion.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

// Most completions end without anybody who waits, and a container has tens of thousands of them:
// only the first waiter makes the timer, on its own executor.
struct Completion::State {
    bool complete = false;
    // Never expires; cancelled when the event happens.
    std::unique_ptr<asio::steady_timer> waiters;
};

Completion::Completion(const asio::any_io_executor& /*strand*/)
    : state_(std::make_shared<State>()) {}

void Completion::complete() {
    state_->complete = true;
    if (const auto waiters = std::move(state_->waiters)) {
        waiters->cancel();
    }
}

bool Completion::is_complete() const noexcept {
    return state_->complete;
}

Task<> Completion::wait() const {
    const auto state = state_;
    if (state->complete) {
        co_return;
    }
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    while (!state->complete) {
        if (!state->waiters) {
            state->waiters = std::make_unique<asio::steady_timer>(
                executor, asio::steady_timer::time_point::max()
            );
        }
        boost::system::error_code ended;
        co_await state->waiters->async_wait(asio::redirect_error(asio::use_awaitable, ended));
        const auto cancellation = co_await asio::this_coro::cancellation_state;
        if (!state->complete && cancellation.cancelled() != asio::cancellation_type::none) {
            throw boost::system::system_error{asio::error::operation_aborted};
        }
    }
}

}  // namespace cordon
