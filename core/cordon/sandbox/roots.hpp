#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/policy.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// The path with symbolic links resolved component by component; as spelled where it cannot be
/// resolved (spec SB-47). Blocks on the file system.
[[nodiscard]] CORDON_API std::string canonical_path(const std::string& path);

/// Whether `path` is `directory` or below it. Both absolute and canonical: the texts are compared,
/// component by component.
[[nodiscard]] CORDON_API bool is_within(std::string_view path, std::string_view directory);

/// The roots that one execution may write under: none unless `workspace-write`; then the workspace,
/// `/tmp` and the temporary directory of the environment, canonical, each once (spec SB-48..SB-50).
/// For backends that express the mode as an allow-list. Blocks on the file system.
[[nodiscard]] CORDON_API std::vector<std::string> writable_roots(
    const SandboxExecutionPolicy& policy
);

}  // namespace cordon
