#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <exception>
#include <functional>
#include <vector>

namespace cordon {

/// Begins one piece of work; may throw instead.
using Starter = std::function<Task<>()>;

/// Starts everything in order, each up to its first wait before the next begins, and waits for all
/// of it, whatever fails. The result says what each one threw, null where it threw nothing, in the
/// order of `starters`.
///
/// Runs on the executor of the caller, which must be a strand or be single-threaded.
/// Cancellation: is passed on to everything that runs, and takes effect once all of it has ended.
[[nodiscard]] CORDON_API Task<std::vector<std::exception_ptr>> start_all(
    std::vector<Starter> starters
);

}  // namespace cordon
