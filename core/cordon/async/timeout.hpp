#pragma once

#include <cordon/async/task.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace cordon {

/// Runs `work`; empty if it had not ended after `timeout`, in which case it has been cancelled and
/// has ended. Exceptions of `work`, and cancellation from outside, come through unchanged. `T` must
/// be default-constructible.
template <typename T>
Task<std::optional<T>> with_timeout(Task<T> work, std::chrono::steady_clock::duration timeout) {
    namespace asio = boost::asio;
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer{executor, timeout};
    // Not `work || timer`: that operator drops the exception of work and waits the timer out.
    auto group = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(work), asio::deferred), timer.async_wait(asio::deferred)
    );
    auto [order, failure, value, timer_error] =
        co_await group.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (order[0] == 1 && !timer_error) {
        co_return std::nullopt;
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    co_return std::move(value);
}

}  // namespace cordon
