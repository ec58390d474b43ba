#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/provider.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cordon {

/// A failed attempt to start a process, in the terms of the contract.
struct SpawnFailure {
    /// `ENOENT`, `EACCES`, …
    std::string code;
    /// `spawn <program>`, or `spawn`.
    std::string syscall;
    std::optional<std::string> path;
};

/// Whether a spawn failed because of the runner's own program: its spelling is named exactly, the
/// code is ENOENT or EACCES, and the caller's working directory is usable (spec SB-52..SB-56).
[[nodiscard]] CORDON_API bool is_runner_spawn_failure(
    const SpawnFailure& failure,
    const std::optional<std::string>& runner_program,
    const std::string& workdir
);

struct RunnerFailureMatch {
    /// The stderr line that matched, as it was written.
    std::string detail;
};

/// `exit_code` is absent for a death by signal (spec SB-57..SB-62).
[[nodiscard]] CORDON_API std::optional<RunnerFailureMatch> classify_runner_failure(
    std::optional<int> exit_code,
    std::string_view stderr_text,
    std::span<const RunnerFailureRule> rules
);

/// A non-zero exit whose stderr holds one of the signatures, ignoring case (spec SB-64). Blank
/// signatures never match (weakness W-23).
[[nodiscard]] CORDON_API bool matches_signature(
    std::optional<int> exit_code,
    std::string_view stderr_text,
    std::span<const std::string> signatures
);

}  // namespace cordon
