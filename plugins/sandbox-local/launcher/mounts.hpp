#pragma once

#include "outcome.hpp"

namespace cordon::launch {

/// Finishes a mount namespace of our own where we may change it (uid 0), with what bubblewrap has
/// no options for:
///
/// - its device nodes are binds of the host's. Read-only binds still open for writing, but their
///   owner and mode cannot be changed any more.
/// - it is a slave of the host's, so a file system that the host mounts during the call would show
///   up writable. Private, it does not show up at all (mount_namespaces(7)).
///
/// Steps `mounts`.
[[nodiscard]] Outcome seal_mounts();

}  // namespace cordon::launch
