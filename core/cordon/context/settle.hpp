#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace cordon {

/// Waits until no fiber of the container that is meant to stay loads or unloads any more. Then all
/// of them are active, pending or failed, and stay so until somebody acts. `context` may be any of
/// the container's.
///
/// Errors: code `DEADLOCK` from inside a plugin's body or undo, which is what it waits for.
[[nodiscard]] CORDON_API Task<> all_settled(Context context);

/// Whether work on `executor` is part of the load or unload of a fiber, so that it must not wait
/// for anything that waits for that fiber to settle.
[[nodiscard]] CORDON_API bool is_in_transition(const boost::asio::any_io_executor& executor);

}  // namespace cordon
