#include "enforcement.hpp"

#include <fmt/format.h>

namespace cordon::sandbox_local {
namespace {

/// From this ABI on (Linux 6.2) truncation of a file by its path is governed.
constexpr int kAbiWithTruncation = 3;
/// From this ABI on (Linux 6.10) commands to devices are governed.
constexpr int kAbiWithDevices = 5;

}  // namespace

std::vector<std::string> open_effects_in_bwrap(const HostFacts& facts) {
    if (facts.landlock_abi == 0) {
        return {
            "landlock-absent: this kernel has no Landlock: a file system that the host mounts "
            "during the call, and a file that a descriptor of the call stands for, are not covered "
            "by the view"};
    }
    if (facts.landlock_abi < kAbiWithTruncation) {
        return {fmt::format(
            "landlock-truncation: Landlock ABI {} of this kernel does not govern truncation (ABI "
            "{} does): a file in a file system that the host mounts during the call can be emptied",
            facts.landlock_abi,
            kAbiWithTruncation
        )};
    }
    return {};
}

std::vector<std::string> open_effects_of(const LauncherPlan& plan, const HostFacts& facts) {
    std::vector<std::string> effects;
    if (plan.view) {
        // Every mount is read-only, without devices and private, so the view needs no Landlock.
        return effects;
    }
    if (plan.mode == ConfinedSandboxMode::workspace_write && !plan.supervise) {
        effects.emplace_back(
            "metadata-open: this kernel cannot hand changes of mode, owner, times and attributes "
            "to a supervisor, and Landlock has no right for them"
        );
    }
    if (facts.is_root && facts.landlock_abi < kAbiWithDevices) {
        effects.push_back(fmt::format(
            "landlock-devices: Landlock ABI {} of this kernel does not govern commands to devices "
            "(ABI {} does), and root may open them",
            facts.landlock_abi,
            kAbiWithDevices
        ));
    }
    return effects;
}

}  // namespace cordon::sandbox_local
