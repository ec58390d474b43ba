#pragma once

#include "child.hpp"

#include <cordon/base/unique_fd.hpp>
#include <cordon/process/environment.hpp>

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace cordon::subprocess_local {

/// One process to start. The descriptors must stay open until `launch` returns.
struct LaunchPlan {
    std::vector<std::string> argv;
    std::string cwd;
    Environment environment;
    std::vector<DescriptorMove> moves;
    /// May be null.
    std::shared_ptr<const ChildConfinement> confinement;
};

/// A process that executes its program: leader of a session and a process group of its own, child
/// of the calling thread. Nobody may reap it but the owner of `pidfd`.
struct LaunchedChild {
    pid_t pid = -1;
    UniqueFd pidfd;
};

/// Starts a process without copying the host's memory. Blocks for as long as the kernel takes to
/// execute the program, and on the file system for the look-up along PATH.
///
/// The calling thread must outlive the process: the process is killed when that thread ends.
/// Errors: `SpawnError`.
[[nodiscard]] LaunchedChild launch(const LaunchPlan& plan);

}  // namespace cordon::subprocess_local
