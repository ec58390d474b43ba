#pragma once

#include <cstddef>
#include <string>

namespace cordon {

/// An option of the runner that the spawner adds to argv at `position`, followed by its value.
struct RunnerOption {
    std::size_t position = 0;
    std::string option;
};

/// How a spawner learns out of band whether the command was started: it maps the write end of a
/// pipe to a descriptor of the child, whose number is the option's value. The runner writes records
/// of `RunnerReport` (runner_status.hpp) there and closes it on exec.
using RunnerStatusOption = RunnerOption;

/// How a spawner makes the runner enter the working directory of the call or fail (step `chdir` of
/// the report): a runner whose view hides that directory may go elsewhere without a word
/// (weakness W-24). The value is the absolute path.
using RunnerWorkdirOption = RunnerOption;

}  // namespace cordon
