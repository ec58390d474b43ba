#pragma once

#include <cordon/async/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace cordon {

/// Runs `work` on `executor` to its end, whatever happens to the caller; a cancellation of the
/// caller takes effect at its next `co_await`.
///
/// A coroutine that has been cancelled already cannot await anything, cleanup included, until it
/// has said `co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation())`.
template <typename T>
Task<T> shield(boost::asio::any_io_executor executor, Task<T> work) {
    namespace asio = boost::asio;
    // An empty slot: nobody can tell `work` of a cancellation.
    co_return co_await asio::co_spawn(
        executor,
        std::move(work),
        asio::bind_cancellation_slot(asio::cancellation_slot{}, asio::use_awaitable)
    );
}

template <typename T>
Task<T> shield(Task<T> work) {
    const auto executor = co_await boost::asio::this_coro::executor;
    co_return co_await shield(executor, std::move(work));
}

}  // namespace cordon
