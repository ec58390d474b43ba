#pragma once

#include "host_facts.hpp"
#include "launcher_plan.hpp"

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// Which file effects stay possible under a plan on this kernel; none: enforcement is `full`. Each
/// text begins with a code: `landlock-absent`, `landlock-truncation`, `landlock-devices`,
/// `metadata-open`.
///
/// Decided by what the escape suite lets through, level by level of Landlock's ABI.
[[nodiscard]] std::vector<std::string> open_effects_in_bwrap(const HostFacts& facts);
[[nodiscard]] std::vector<std::string> open_effects_of(
    const LauncherPlan& plan, const HostFacts& facts
);

}  // namespace cordon::sandbox_local
