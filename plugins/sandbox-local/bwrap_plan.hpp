#pragma once

#include "host_facts.hpp"
#include "launcher_plan.hpp"
#include "request.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// The two programs of this backend, absolute and canonical.
struct BwrapPrograms {
    std::string bwrap;
    std::string launcher;
};

struct BwrapPlan {
    std::vector<std::string> argv;
    /// Where options of the launcher may be inserted.
    std::size_t launcher_options = 0;
};

/// The argv that runs `command` in a view of its own with the launcher as its first program. An
/// empty command makes the launcher confine itself and end, which is the probe: everything else
/// about it is the same as in a real call. Pure.
[[nodiscard]] BwrapPlan plan_bwrap(
    const ConfinementRequest& request,
    const HostFacts& facts,
    const BwrapPrograms& programs,
    const std::vector<std::string>& command,
    const Containment& containment = {}
);

}  // namespace cordon::sandbox_local
