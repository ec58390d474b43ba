#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/service.hpp>
#include <cordon/sandbox/child_confinement.hpp>
#include <cordon/sandbox/mode.hpp>
#include <cordon/sandbox/policy.hpp>
#include <cordon/sandbox/runner_option.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Evidence that a runner failed before it executed the command. A consumer checks the exit code
/// where `allowed_exit_codes` is present, drops stderr lines equal to an informational line, and
/// looks for a fatal signature within one of the others, ignoring case (spec SB-8, SB-57..SB-62).
struct RunnerFailureRule {
    /// Absent: any non-zero exit.
    std::optional<std::vector<int>> allowed_exit_codes;
    std::vector<std::string> fatal_signatures;
    std::vector<std::string> informational_lines;
};

/// The argv to spawn in place of the caller's own. The first four members are the contract (spec
/// SB-7); the others say more to consumers that ask.
struct ConfinedArgv {
    std::vector<std::string> argv;
    SandboxEnforcement enforcement = SandboxEnforcement::partial;
    /// What a denied file effect looks like on stderr under this backend, to be matched ignoring
    /// case.
    std::vector<std::string> denial_signatures;
    std::vector<RunnerFailureRule> runner_failure_rules;

    /// The backend that was selected: `bwrap`.
    std::string backend;
    /// Why `enforcement` is not `full`; empty where it is. Each begins with a code that stays the
    /// same, a colon and a blank.
    std::vector<std::string> reasons;
    /// Absent where the runner has no such channel; the rules above decide then.
    std::optional<RunnerStatusOption> status;
    /// Absent where the runner stays where it was started, or fails.
    std::optional<RunnerWorkdirOption> workdir;
    /// How variables that steer the dynamic loader reach the command: `argv` starts the runner, so
    /// they must not be set for it. A variable that is set as this prefix and its name gets its
    /// name back for the command only; `runner_environment` (loader_variables.hpp) does the
    /// renaming. Empty where the runner has no such way; they are dropped then.
    std::string loader_variable_prefix;
    /// Absent where only a runner can do it. Both forms enforce the same.
    std::optional<PreparedArgv> prepared;
};

/// One backend as `cordon doctor` shows it.
struct SandboxBackendReport {
    std::string name;
    bool usable = false;
    /// Why not, where it is not usable.
    std::string why_not;
    SandboxEnforcement enforcement = SandboxEnforcement::partial;
    /// Why `enforcement` is not `full`.
    std::vector<std::string> reasons;
    /// What was looked at: the program's path and version, the command of the probe.
    std::vector<std::string> facts;
};

inline constexpr std::string_view kSandboxUnavailable = "SANDBOX_UNAVAILABLE";

/// The requested mode cannot be enforced; nothing ran (spec SB-15..SB-18).
class CORDON_API SandboxUnavailableError : public Error {
public:
    explicit SandboxUnavailableError(
        ConfinedSandboxMode mode, const std::optional<std::string>& detail = std::nullopt
    );
    SandboxUnavailableError(const SandboxUnavailableError&) = default;
    SandboxUnavailableError& operator=(const SandboxUnavailableError&) = default;
    ~SandboxUnavailableError() override;
};

/// Confines commands on this host. Key `sandbox`. Containers and remote execution replace the
/// surrounding services instead.
class CORDON_API SandboxProvider : public Service {
public:
    static constexpr std::string_view service_name = "sandbox";

    ~SandboxProvider() override;

    /// Wraps `argv`, a program and its arguments (never a shell string), so that it runs confined
    /// under `policy`. Never returns the caller's argv unwrapped (spec SB-10..SB-12).
    ///
    /// Cancellation: ends the wait; a probe under way goes on for other callers and is no verdict.
    /// Errors: `SandboxUnavailableError`; code `INVALID_REQUEST` for an empty argv; code
    /// `INVALID_POLICY` where the policy itself cannot be enforced (workspace missing, not a
    /// directory, or `/`).
    [[nodiscard]] virtual Task<ConfinedArgv> confine(
        std::vector<std::string> argv, SandboxPolicy policy
    ) = 0;

    /// Every backend of the chain in order, probed now. Empty for providers without backends.
    [[nodiscard]] virtual Task<std::vector<SandboxBackendReport>> inspect();
};

}  // namespace cordon
