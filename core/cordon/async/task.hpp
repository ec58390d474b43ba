#pragma once

#include <boost/asio/awaitable.hpp>

namespace cordon {

/// A lazily started coroutine. It runs on the executor of whoever awaits it, and is cancelled by
/// Asio's per-operation cancellation, which is what the contract calls a signal.
template <typename T = void>
using Task = boost::asio::awaitable<T>;

}  // namespace cordon
