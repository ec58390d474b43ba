#pragma once

#include "options.hpp"
#include "outcome.hpp"

namespace cordon::launch {

/// Builds what the command sees, in a fresh mount namespace that is ours to change:
///
/// 1. what stays writable is copied as detached mounts, before anything is changed;
/// 2. one call makes every mount read-only, without devices, and private: however many there are,
///    nothing that the host mounts later shows up;
/// 3. the device nodes that commands need are put back, read-only, which they can still be written
///    through, but their owner and mode cannot be changed; terminals get an instance of their own;
/// 4. private folders, then the copies of 1, are put on top; a process namespace gets its /proc.
///
/// Nothing is unmounted or pivoted: what is covered stays covered, because the command cannot
/// unmount. Steps `view`, subject: the path.
[[nodiscard]] Outcome build_view(const Options& options);

}  // namespace cordon::launch
