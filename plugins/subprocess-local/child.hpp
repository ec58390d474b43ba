#pragma once

#include <cordon/sandbox/child_confinement.hpp>

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace cordon::subprocess_local {

/// The steps of the child in their order; the failing one is reported.
enum class ChildStep : std::uint8_t {
    none,
    session,
    parent,
    descriptors,
    chdir,
    exec,
    confinement
};

/// A descriptor of the host and the number that it gets in the child.
struct DescriptorMove {
    int host = -1;
    int child = -1;
};

/// Everything the child needs, made before it exists, because it may not allocate. It shares the
/// memory of the host until it executes the program, so it writes its report right here.
struct ChildPlan {
    const char* program = nullptr;
    char* const* argv = nullptr;
    /// With room for one more entry.
    char** envp = nullptr;
    const char* cwd = nullptr;
    const DescriptorMove* moves = nullptr;
    std::size_t move_count = 0;
    /// Room for `move_count` descriptors.
    int* lifted = nullptr;
    /// The highest `DescriptorMove::child`.
    int highest_child = 2;
    /// No descriptor of the host is at or above this number.
    int descriptor_limit = 0;
    /// A pidfd of the host.
    int host_fd = -1;
    /// May be null. Executes the program itself.
    const ChildConfinement* confinement = nullptr;

    ChildStep failed_step = ChildStep::none;
    int error = 0;
    /// What the confinement says about its own failure.
    ChildFailure failure;
};

/// Runs in the child, between clone and exec. `plan` is a `ChildPlan*`. Returns only where a step
/// failed; the value is the exit status of the child then.
int run_child(void* plan);

}  // namespace cordon::subprocess_local
