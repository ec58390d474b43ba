#pragma once

#include <cordon/sandbox/mode.hpp>

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// The argv that runs `command` under macOS's sandbox-exec (spec LP-23, LP-30, LP-31). Paths are
/// parameters of the profile, never pasted into its text: no name can say anything in it. `roots`:
/// what `writable_roots` gives; not used in `read-only`. Pure.
[[nodiscard]] std::vector<std::string> plan_seatbelt(
    ConfinedSandboxMode mode,
    const std::vector<std::string>& roots,
    const std::vector<std::string>& command
);

}  // namespace cordon::sandbox_local
