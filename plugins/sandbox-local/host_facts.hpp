#pragma once

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What this host can do, as far as the plan of a view depends on it.
struct HostFacts {
    /// The effective user is uid 0.
    bool is_root = false;
    /// Landlock ABI of the running kernel; 0 where it is absent or switched off.
    int landlock_abi = 0;
    /// `/tmp` is a directory.
    bool has_tmp = true;
};

/// Asks the kernel by system calls: files that describe it are absent on working hosts (field-30).
[[nodiscard]] HostFacts look_at_host();

/// Which file effects stay possible in bubblewrap with cordon-launch inside; none: enforcement is
/// `full`.
[[nodiscard]] std::vector<std::string> open_file_effects(const HostFacts& facts);

}  // namespace cordon::sandbox_local
