#pragma once

#include "outcome.hpp"

namespace cordon::launch {

/// Makes standard input, output and error harmless:
///
/// - one that is closed becomes `/dev/null`, so that a file the command opens does not become its
///   standard output by accident;
/// - a file or directory that was opened for reading still stands on the host's writable mount, and
///   `/proc/self/fd/0` would open it again for writing there. It is opened anew through the view;
///   where the view does not show it, a file's content is copied into memory, and a directory
///   becomes `/dev/null`.
///
/// What was opened for writing is the caller's grant and stays. Step `stdio`.
[[nodiscard]] Outcome secure_standard_streams();

/// Closes every descriptor above 2 but `keep`, whatever the spawner or the runner left open
/// (close_range(2), Linux 5.9). `keep` below 0: none. Step `descriptors`.
[[nodiscard]] Outcome close_others(int keep);

}  // namespace cordon::launch
