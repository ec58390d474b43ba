#pragma once

#include <cordon/sandbox/mode.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// The capabilities of one session (spec LP-42, LP-43).
struct AclGrants {
    std::string write_sid;
    std::string temporary_write_sid;
};

/// What one call of the restricted-token runner is about.
struct AclCall {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    std::string workspace;
    std::string temporary;
    /// Absent without a session; never used in `read-only`.
    std::optional<AclGrants> grants;
};

/// The argv for `runner`, the runner's program and its own arguments (spec LP-41, LP-42). Pure.
///
/// Errors: code `INVALID_POLICY` for a temporary folder inside of the workspace, with the text of
/// spec LP-45. Paths are compared as they are spelled, ignoring the case of ASCII letters.
[[nodiscard]] std::vector<std::string> plan_windows_acl(
    const std::vector<std::string>& runner,
    const AclCall& call,
    const std::vector<std::string>& command
);

}  // namespace cordon::sandbox_local
