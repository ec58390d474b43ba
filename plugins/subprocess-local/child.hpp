#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace cordon::subprocess_local {

/// The steps of the child in their order; the failing one is reported.
enum class ChildStep : std::uint8_t { none, session, parent, descriptors, chdir, exec };

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
    char* const* envp = nullptr;
    const char* cwd = nullptr;
    const DescriptorMove* moves = nullptr;
    std::size_t move_count = 0;
    /// Room for `move_count` descriptors.
    int* lifted = nullptr;
    /// The highest `DescriptorMove::child`.
    int highest_child = 2;
    /// No descriptor of the host is at or above this number.
    int descriptor_limit = 0;
    /// The host, as the child must see it.
    pid_t host = 0;

    ChildStep failed_step = ChildStep::none;
    int error = 0;
};

/// Runs in the child, between clone and exec. `plan` is a `ChildPlan*`. Returns only where a step
/// failed; the value is the exit status of the child then.
int run_child(void* plan);

}  // namespace cordon::subprocess_local
