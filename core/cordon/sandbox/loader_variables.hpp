#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/provider.hpp>

#include <map>
#include <optional>
#include <string>

namespace cordon {

/// Changes to this process's environment, as SpawnSpec takes them: no value removes a variable.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// The changes to spawn `confined.argv` with, so that the command has the environment that
/// `changes` describes while the runner, which is not confined, has no variable on which the
/// dynamic loader or libc acts (`LD_PRELOAD`, `GLIBC_TUNABLES`, …): neither those of the call nor
/// those of this process (field-16).
[[nodiscard]] CORDON_API EnvironmentChanges
runner_environment(const ConfinedArgv& confined, EnvironmentChanges changes);

}  // namespace cordon
