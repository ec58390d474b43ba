#pragma once

#include <cordon/base/export.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// What a runner reported on its status descriptor (RunnerStatusOption). The text form is one line
/// per record: `confined` once every restriction is in force, `failed STEP ERRNO` where a step or
/// the final exec failed. A closed pipe without `confined` means that the runner died before it got
/// there.
struct RunnerReport {
    /// Every restriction was in force and exec was reached.
    bool confined = false;
    /// The step that failed; empty where none did. `exec` and `chdir` speak of the command and its
    /// working directory, every other step of the runner.
    std::string failed_step;
    int error = 0;

    /// The command itself was started.
    [[nodiscard]] bool started() const noexcept { return confined && failed_step.empty(); }
};

/// `bytes` is everything that was read up to the end of the pipe. Malformed text counts as "not
/// confined".
[[nodiscard]] CORDON_API RunnerReport parse_runner_report(std::string_view bytes);

}  // namespace cordon
