#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/service.hpp>
#include <cordon/process/subprocess.hpp>
#include <cordon/sandbox/policy.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// One command as a caller asks for it; absent members take the executor's configuration (spec
/// SH-4).
struct ShellRequest {
    /// Source for the shell.
    std::string command;
    std::optional<std::string> workdir;
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::size_t> stdout_max_bytes;
    InputMode stdin_mode = NoInput{};
    std::map<std::string, std::optional<std::string>> env;
    std::optional<SandboxExecutionPolicy> sandbox_policy;
    /// Given all output as it arrives, beside what is collected. May be null.
    OutputSink on_stdout;
    OutputSink on_stderr;
};

/// The same with every default filled in (spec SH-5).
struct ShellSpec {
    std::string command;
    std::string workdir;
    std::chrono::milliseconds timeout{};
    std::size_t stdout_max_bytes = 0;
    InputMode stdin_mode = NoInput{};
    std::map<std::string, std::optional<std::string>> env;
    /// Absent for executors that do not confine.
    std::optional<SandboxExecutionPolicy> sandbox_policy;
    OutputSink on_stdout;
    OutputSink on_stderr;
};

/// What confinement did for one command (spec SH-6).
struct SandboxFacts {
    SandboxMode mode = SandboxMode::read_only;
    bool denied = false;
    /// Absent where nothing was confined.
    std::optional<SandboxEnforcement> enforcement;
    std::string backend;
    /// Why `enforcement` is not `full`.
    std::vector<std::string> reasons;
    /// What made `denied` true: the lines of stderr that matched.
    std::vector<std::string> evidence;
};

struct ShellResult {
    ExitStatus exit;
    /// Our timeout ended it. Excludes `aborted` (spec SH-8).
    bool timed_out = false;
    /// A cancellation by the caller ended it.
    bool aborted = false;
    /// The timeout that was in force.
    std::chrono::milliseconds timeout{};
    std::chrono::milliseconds duration{};
    CollectedOutput stdout_output;
    CollectedOutput stderr_output;
    std::optional<SandboxFacts> sandbox;
};

/// Runs shell commands. Key `shell`.
class CORDON_API ShellExecutor : public Service {
public:
    static constexpr std::string_view service_name = "shell";

    ~ShellExecutor() override;

    /// The default mode of an executor that confines; absent for one that does not (spec SH-3,
    /// PO-29).
    [[nodiscard]] virtual std::optional<SandboxMode> sandbox_mode() const;

    /// Fills in defaults and resolves the call's policy. Starts nothing.
    [[nodiscard]] virtual Task<ShellSpec> resolve(ShellRequest request) = 0;

    /// Completes when the command has ended. A non-zero exit, a timeout and a kill are results
    /// (spec SH-7).
    ///
    /// Cancellation: ends the command; the result says `aborted`. Before anything was started it
    /// comes out as `operation_aborted`. Errors: `SandboxUnavailableError`, `SpawnError`; nothing
    /// ran then.
    [[nodiscard]] virtual Task<ShellResult> run(ShellSpec spec) = 0;
};

}  // namespace cordon
