#pragma once

#include "options.hpp"
#include "outcome.hpp"

#include <sys/types.h>

namespace cordon::launch {

/// Who calls, before any namespace changes what the numbers mean.
struct Caller {
    uid_t uid;
    gid_t gid;
};

[[nodiscard]] Caller who_calls();

/// CLONE_NEW… flags of the namespaces that `confine` must find itself in.
[[nodiscard]] unsigned long namespaces_of(const Options& options);

/// Puts every restriction in force, for good: this process, or the next program it executes, is
/// confined after that. With `options.supervise`, `listener_fd` becomes the descriptor on which
/// changes of metadata wait for a decision; otherwise it stays as it is.
///
/// Precondition: the process is in fresh namespaces of `namespaces_of(options)`.
[[nodiscard]] Outcome confine(const Options& options, const Caller& caller, int& listener_fd);

}  // namespace cordon::launch
