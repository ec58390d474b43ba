#pragma once

#include <cordon/async/shield.hpp>
#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <type_traits>
#include <utility>

namespace cordon {

/// Threads of libcordon for blocking calls (file systems, name look-ups), started on first use and
/// shared by everything in the process. Never for waiting on other coroutines.
///
/// Errors: `SYSTEM_ERROR` where the host has not one thread left; the next call tries again.
[[nodiscard]] CORDON_API boost::asio::any_io_executor blocking_executor();

namespace detail {

template <typename Function>
Task<std::invoke_result_t<Function&>> call(Function function) {
    co_return function();
}

}  // namespace detail

/// Runs `function` where blocking is allowed and returns its result to the executor of the caller.
///
/// Cancellation: takes effect once `function` has returned, because a blocking call cannot be
/// interrupted; so `function` may use what the caller owns.
template <typename Function>
Task<std::invoke_result_t<Function&>> offload(Function function) {
    co_return co_await shield(blocking_executor(), detail::call(std::move(function)));
}

}  // namespace cordon
