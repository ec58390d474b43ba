#pragma once

#include "host_facts.hpp"
#include "launcher/options.hpp"
#include "request.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What one deployment wants of every call.
struct Containment {
    /// The command sees, and leaves behind, no process but its own.
    bool processes = true;
    bool network = true;
};

/// What cordon-launch is told about one call, or what the in-process form does itself: the members
/// of `launch::Options`, owned.
struct LauncherPlan {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    int landlock_abi = 0;
    std::vector<std::string> writable;
    std::vector<std::string> private_folders;
    bool own_mounts = false;
    bool view = false;
    std::vector<std::string> read_only;
    std::vector<std::string> kept;
    std::string temporary_source;
    bool user_namespace = false;
    bool process_namespace = false;
    bool supervise = false;
    bool network = true;
    /// Empty: nothing is done about TMPDIR.
    std::string temporary;
};

/// The launcher inside of bubblewrap: mounts are made already.
[[nodiscard]] LauncherPlan plan_inside_bwrap(
    const ConfinementRequest& request, const HostFacts& facts
);

/// Namespaces and a view of our own. `programs`: what must stay visible because it is executed in
/// the view.
[[nodiscard]] LauncherPlan plan_native(
    const ConfinementRequest& request,
    const HostFacts& facts,
    const Containment& containment,
    const std::vector<std::string>& programs
);

/// Landlock and a system call filter, and nothing that needs a privilege. The host's `/tmp` is a
/// writable root then (spec LP-29, LP-33).
[[nodiscard]] LauncherPlan plan_landlock_alone(
    const ConfinementRequest& request, const HostFacts& facts, const Containment& containment
);

/// The options of cordon-launch that say the same, without `--check` and what comes after.
[[nodiscard]] std::vector<std::string> launcher_words(const LauncherPlan& plan);

/// The same for the in-process form. Points into `plan`. Errors: code `INVALID_POLICY` where there
/// are more paths than the launcher takes.
[[nodiscard]] launch::Options launcher_options(const LauncherPlan& plan);

/// What is mounted writable, outer places first: the workspace, other roots, and the folders above
/// read-only paths, which cannot be renamed then.
[[nodiscard]] std::vector<std::string> writable_places(const ConfinementRequest& request);

/// A private /tmp, unless there is none or it would hide the workspace itself.
[[nodiscard]] bool has_private_tmp(const ConfinementRequest& request, const HostFacts& facts);

inline constexpr const char* kTemporaryFolder = "/tmp";
inline constexpr const char* kSharedMemory = "/dev/shm";

}  // namespace cordon::sandbox_local
