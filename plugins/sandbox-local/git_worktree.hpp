#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// Where a linked worktree keeps what a commit in it writes.
struct LinkedWorktree {
    /// The common directory of the repository, canonical.
    std::string repository;
    /// Files and folders in it that git executes or obeys on the host: hooks and settings.
    std::vector<std::string> executed;
};

/// What `workspace`/.git points at, where it is the file of a linked worktree. The file lies where
/// commands can write, so it is believed only if the repository names this worktree in turn, which
/// they cannot change. Blocks on the file system.
[[nodiscard]] std::optional<LinkedWorktree> find_linked_worktree(const std::string& workspace);

}  // namespace cordon::sandbox_local
