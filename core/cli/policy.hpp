#pragma once

#include "options.hpp"

#include <cordon/async/task.hpp>
#include <cordon/context/context.hpp>
#include <cordon/sandbox/policy.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace cordon::cli {

/// The policy of one call under what the user asked for. Absent where the composition decides no
/// policies and the user asked for none.
///
/// Errors: `Error` where `--mode` or `--workspace` was given and no row provides `sandboxPolicy`.
[[nodiscard]] Task<std::optional<SandboxExecutionPolicy>> resolve_policy(
    Context context, PolicyOptions options
);

/// Errors: `Error` where the working directory has been removed.
[[nodiscard]] std::filesystem::path current_folder();

/// The workspace as an absolute path; empty where none was given. `..` is left for the kernel to
/// resolve.
[[nodiscard]] std::optional<std::string> absolute_workspace(const PolicyOptions& options);

}  // namespace cordon::cli
