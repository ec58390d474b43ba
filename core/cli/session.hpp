#pragma once

#include "options.hpp"

#include <cordon/async/task.hpp>
#include <cordon/runtime/runtime.hpp>

#include <exception>
#include <functional>

namespace cordon::cli {

/// A started composition and the way to stop it early.
struct Session {
    Runtime& runtime;
    /// Cancels what is under way, as the arrival of that signal would; the status becomes
    /// 128+signal.
    std::function<void(int signal)> interrupt;
};

/// What a command does in a session, on the container's strand. Returns the exit status.
using SessionBody = std::function<Task<int>(Session session)>;

/// Starts the composition, runs `body`, stops everything, and returns the exit status. An
/// interrupt, a termination or a hang-up cancels what is under way and gives 128+n; a second one
/// kills.
///
/// Errors: whatever `boot` or `body` throws.
[[nodiscard]] int run_session(const GlobalOptions& options, const SessionBody& body);

/// Tells the user why nothing came of it: a message on standard error, or with `--json` a document
/// on standard output.
void report_failure(const GlobalOptions& options, const std::exception_ptr& failure);

}  // namespace cordon::cli
