#pragma once

#include "child.hpp"
#include "process.hpp"

#include <cordon/base/unique_fd.hpp>
#include <cordon/process/subprocess.hpp>

#include <vector>

namespace cordon::subprocess_local {

/// The descriptors of a process to be started, seen from both sides.
struct Stdio {
    HostPipes host;
    std::vector<DescriptorMove> moves;
    /// The child's ends. To be closed in the host once the process has been started.
    std::vector<UniqueFd> child_ends;
};

/// Opens what `spec` asks for. A standard descriptor is never left closed: the next file that a
/// program opens would take its number (field-84).
///
/// Errors: code `SYSTEM_ERROR` where the host has no descriptors left.
[[nodiscard]] Stdio open_stdio(SpawnSpec& spec);

}  // namespace cordon::subprocess_local
