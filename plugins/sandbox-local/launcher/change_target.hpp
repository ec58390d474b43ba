#pragma once

#include "metadata_call.hpp"
#include "options.hpp"
#include "requester.hpp"

#include <array>
#include <cstdint>

namespace cordon::launch {

/// The writable roots as they were before the command started.
struct RootDescriptors {
    std::array<const char*, kMaxWritableRoots> paths{};
    std::array<int, kMaxWritableRoots> descriptors{};
    std::size_t count = 0;

    /// Step `supervisor`, subject: the root.
    [[nodiscard]] Outcome open(const Options& options);
};

/// The file that a request means, proven to lie under a writable root: found again from the root's
/// own descriptor without following any link, and the same file. Or one that is nowhere (a pipe, a
/// socket, memory).
///
/// Returns a descriptor that is good for changes by descriptor only, or a negative error number:
/// EROFS for a file elsewhere.
[[nodiscard]] long find_target(
    const RootDescriptors& roots,
    const Requester& requester,
    const MetadataCall& call,
    const std::uint64_t* arguments
);

}  // namespace cordon::launch
