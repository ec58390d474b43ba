#pragma once

#include "backend.hpp"

#include <cordon/async/task.hpp>
#include <cordon/process/subprocess.hpp>
#include <cordon/sandbox/provider.hpp>

#include <chrono>
#include <functional>

namespace cordon::sandbox_local {

/// Runs a wrapped command that is expected to do nothing, and judges.
using ProbeRun = std::function<Task<Verdict>(ConfinedArgv confined)>;

/// Runs it through the subprocess service. Usable: it ended with 0 and reported that it was
/// confined. What it wrote on standard error is the reason otherwise; a probe that takes longer
/// than `timeout` is ended.
///
/// Cancellation: ends it. Errors: none of its own.
[[nodiscard]] Task<Verdict> run_probe(
    SubprocessService& subprocess, ConfinedArgv confined, std::chrono::milliseconds timeout
);

}  // namespace cordon::sandbox_local
