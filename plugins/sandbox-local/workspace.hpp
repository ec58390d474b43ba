#pragma once

#include <cordon/sandbox/policy.hpp>

#include <string>

namespace cordon::sandbox_local {

/// The workspace of one call as the kernel knows it: absolute, without symbolic links. Resolved
/// here and not where the policy was made, because links mean something in the world that enforces
/// it only (spec LP-4, PO-6). In `read-only` it is not used, so anything goes and a path that does
/// not exist stays as it is spelled.
///
/// Blocks on the file system. Errors: code `INVALID_POLICY` in `workspace-write` for a workspace
/// that is missing, not a directory, `/`, or in a file system of the kernel (weaknesses W-12..W-14,
/// W-18).
[[nodiscard]] std::string resolve_workspace(const SandboxPolicy& policy);

/// Why it is unwise to let commands write there, for the log; empty where it is not. `canonical`:
/// what `resolve_workspace` returned. `home`: value of HOME, may be empty. Blocks on the file
/// system.
[[nodiscard]] std::string workspace_warning(const std::string& canonical, const std::string& home);

}  // namespace cordon::sandbox_local
