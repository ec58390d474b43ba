#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/provider.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// Whether a variable makes the dynamic loader or libc load code or files: `LD_*`,
/// `GLIBC_TUNABLES`, `GCONV_PATH`, `LOCPATH`.
[[nodiscard]] CORDON_API bool is_loader_variable(std::string_view name);

/// Changes to this process's environment, as SpawnSpec takes them: no value removes a variable.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// The changes to spawn `confined.argv` with, so that the command has the environment that
/// `changes` describes while the runner, which is not confined, has no loader variables: neither
/// those of the call nor those of this process (field-16).
[[nodiscard]] CORDON_API EnvironmentChanges
runner_environment(const ConfinedArgv& confined, EnvironmentChanges changes);

}  // namespace cordon
