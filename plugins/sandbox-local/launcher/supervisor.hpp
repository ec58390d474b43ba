#pragma once

#include "change_target.hpp"

namespace cordon::launch {

/// Answers the requests that wait on `listener_fd` until the process of `command_fd` (a pidfd) has
/// ended; then nothing answers any more, and what is left of the command fails with ENOSYS. A call
/// is never let through: the supervisor makes the change itself, or refuses.
///
/// Reaps whatever ends meanwhile, except the command.
void supervise(int listener_fd, int command_fd, long command, const RootDescriptors& roots);

}  // namespace cordon::launch
