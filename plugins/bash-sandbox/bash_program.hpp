#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cordon::bash_sandbox {

/// Every bash on the host's PATH, by absolute path.
///
/// Errors: code `SHELL_UNAVAILABLE` where there is none. Blocks on the file system.
[[nodiscard]] std::vector<std::filesystem::path> find_bash();

/// The first candidate that does not lie in the workspace, where earlier commands may have put or
/// replaced it (weakness W-15). A workspace of `/` rules nothing out.
///
/// Errors: code `SHELL_UNAVAILABLE` where all do. Blocks on the file system.
[[nodiscard]] std::string choose_bash(
    const std::vector<std::filesystem::path>& candidates, const std::string& workspace_root
);

}  // namespace cordon::bash_sandbox
