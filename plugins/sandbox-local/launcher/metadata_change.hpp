#pragma once

#include "metadata_call.hpp"
#include "requester.hpp"

#include <cstdint>

namespace cordon::launch {

/// What is to be changed, copied from the requester before anything happens.
struct MetadataChange {
    Change change = Change::mode;
    std::uint32_t mode = 0;
    std::uint32_t user = 0;
    std::uint32_t group = 0;
    bool has_times = false;
    std::int64_t times[4] = {};  // two of seconds and nanoseconds
    char name[256] = {};
    std::uint64_t value_size = 0;
    int attribute_flags = 0;
};

/// Copies the arguments. 0 or a negative error number; EPERM for what a supervisor that is more
/// than the command would lend: attributes other than `user.*` and access lists.
[[nodiscard]] long read_change(
    const Requester& requester,
    const MetadataCall& call,
    const std::uint64_t* arguments,
    MetadataChange& change
);

/// Makes the change on the file that `target` stands for, with our own rights. The kernel's
/// result.
[[nodiscard]] long make_change(int target, const MetadataChange& change);

}  // namespace cordon::launch
