#pragma once

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What this host can do, as far as plans depend on it.
struct HostFacts {
    /// The effective user is uid 0.
    bool is_root = false;
    /// Landlock ABI of the running kernel; 0 where it is absent or switched off.
    int landlock_abi = 0;
    /// `/tmp` is a directory.
    bool has_tmp = true;
    /// `/dev/shm` is a directory.
    bool has_shared_memory = true;
    /// Mount namespaces can be made without a user namespace (CAP_SYS_ADMIN).
    bool may_mount = false;
    /// The kernel hands system calls to a supervisor, and the supervisor descriptors (Linux 5.6).
    bool can_supervise = true;
    /// Effective ids.
    unsigned user = 0;
    unsigned group = 0;
};

/// Asks the kernel by system calls: files that describe it are absent on working hosts (field-30).
[[nodiscard]] HostFacts look_at_host();

/// Why user namespaces cannot be had although the kernel has them, for a probe that failed; empty
/// where nothing speaks against it.
[[nodiscard]] std::string user_namespace_obstacle();

}  // namespace cordon::sandbox_local
