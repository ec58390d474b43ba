#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

namespace cordon {

/// How a running deployment follows its files.
struct WatchOptions {
    /// How long nothing must have changed before changes are taken over (spec HMR-14).
    std::chrono::milliseconds debounce{100};
    /// Folders that confined commands may write to, besides the workspace of the composition's own
    /// sandbox policy: workspaces that the host gives to sessions. What is reached through one of
    /// them is not followed, or a confined command could weaken the policy that confines it.
    std::vector<std::filesystem::path> writable_roots;
};

}  // namespace cordon
