#pragma once

#include <cordon/sandbox/mode.hpp>

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// One call, as backends need it. Every path is absolute and canonical.
struct ConfinementRequest {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    std::string workspace;
    /// Beside the workspace, in `workspace-write` only.
    std::vector<std::string> writable_roots{};
    /// Under the workspace or another root, and not to be written. A folder above one of them
    /// cannot be moved away either.
    std::vector<std::string> read_only_paths{};
    /// Folder of the host that stands in for `/tmp`; empty: one that lasts as long as the call.
    std::string temporary{};
};

}  // namespace cordon::sandbox_local
