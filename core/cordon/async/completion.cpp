#include <cordon/async/completion.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace cordon {

namespace asio = boost::asio;

struct Completion::State {
    explicit State(const asio::any_io_executor& strand)
        : waiters(strand, asio::steady_timer::time_point::max()) {}

    bool complete = false;
    // Never expires; cancelled when the event happens.
    asio::steady_timer waiters;
};

Completion::Completion(const asio::any_io_executor& strand)
    : state_(std::make_shared<State>(strand)) {}

void Completion::complete() {
    if (!state_->complete) {
        state_->complete = true;
        state_->waiters.cancel();
    }
}

bool Completion::is_complete() const noexcept {
    return state_->complete;
}

Task<> Completion::wait() const {
    const auto state = state_;
    while (!state->complete) {
        boost::system::error_code ended;
        co_await state->waiters.async_wait(asio::redirect_error(asio::use_awaitable, ended));
        const auto cancellation = co_await asio::this_coro::cancellation_state;
        if (!state->complete && cancellation.cancelled() != asio::cancellation_type::none) {
            throw boost::system::system_error{asio::error::operation_aborted};
        }
    }
}

}  // namespace cordon
