#pragma once

#include "request.hpp"

#include <cordon/sandbox/policy.hpp>

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What a deployment adds to every workspace.
struct Places {
    /// Absolute.
    std::vector<std::string> writable_roots;
    /// Absolute, or relative to the workspace.
    std::vector<std::string> read_only_paths;
    bool git_worktrees = false;
};

/// One call as the file system knows it.
struct ResolvedPlaces {
    ConfinementRequest request;
    /// What could not be done as the deployment wants it; each a reason for `partial`, with the
    /// code `read-only-missing`.
    std::vector<std::string> shortcomings;
    /// For the log; empty where there is nothing to warn about.
    std::string warning;
};

/// Resolves every path of a call. Blocks on the file system. Errors: code `INVALID_POLICY` for a
/// workspace or a root that cannot be written under.
[[nodiscard]] ResolvedPlaces resolve_places(const SandboxPolicy& policy, const Places& places);

}  // namespace cordon::sandbox_local
