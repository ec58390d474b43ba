#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/policy.hpp>

#include <string>
#include <vector>

namespace cordon {

/// The path with symbolic links resolved component by component; as spelled where it cannot be
/// resolved (spec SB-47). Blocks on the file system.
[[nodiscard]] CORDON_API std::string canonical_path(const std::string& path);

/// The roots that one execution may write under: none unless `workspace-write`; then the workspace,
/// `/tmp` and the temporary directory of the environment, canonical, each once (spec SB-48..SB-50).
/// For backends that express the mode as an allow-list. Blocks on the file system.
[[nodiscard]] CORDON_API std::vector<std::string> writable_roots(
    const SandboxExecutionPolicy& policy
);

}  // namespace cordon
