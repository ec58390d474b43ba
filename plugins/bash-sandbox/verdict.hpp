#pragma once

#include <cordon/sandbox/provider.hpp>
#include <cordon/sandbox/runner_status.hpp>
#include <cordon/shell/shell.hpp>

#include <optional>
#include <string>

namespace cordon::bash_sandbox {

/// One confined run, after its end.
struct ConfinedRun {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    ConfinedArgv confined;
    /// The program that the runner was to start.
    std::string program;
    std::string workdir;
    /// Absent where the runner has no status channel.
    std::optional<RunnerReport> report;
};

/// What confinement did. The runner's own report decides whether the command ran at all; text on
/// stderr decides only for runners without one (weaknesses W-16, W-17). A runner failure outranks a
/// denial (spec BX-10, SB-65).
///
/// Errors, where the command did not run although nothing stopped it: `SandboxUnavailableError`
/// with the runner's words; code `SPAWN_FAILED` where the runner could not enter the working
/// directory or execute the shell.
[[nodiscard]] SandboxFacts judge(const ConfinedRun& run, const ShellResult& result);

/// The error to report where the argv of `confine` could not be started: the runner's own program
/// is `SandboxUnavailableError`, everything else stays as it is (spec BX-7, SB-52..SB-55).
[[noreturn]] void throw_start_failure(const ConfinedRun& run, const SpawnError& failure);

}  // namespace cordon::bash_sandbox
