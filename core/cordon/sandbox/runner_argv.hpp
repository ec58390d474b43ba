#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/provider.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// What a spawner tells a runner about one call.
struct RunnerCall {
    /// Number, in the child, of the descriptor for the runner's report.
    std::optional<int> status_fd;
    /// Absolute working directory of the command.
    std::optional<std::string> workdir;
};

/// `confined.argv` with those options of the call that its runner understands; unchanged where it
/// understands none.
[[nodiscard]] CORDON_API std::vector<std::string> runner_argv(
    const ConfinedArgv& confined, const RunnerCall& call
);

}  // namespace cordon
