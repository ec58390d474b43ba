#pragma once

#include "options.hpp"
#include "outcome.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cordon::launch {

/// Grants for one path; what is not granted to any path is denied everywhere.
struct LandlockRule {
    const char* path;
    std::uint64_t access;
    /// A path that must exist; the others are skipped where they do not.
    bool required;
};

/// A ruleset before the kernel has seen it.
struct LandlockPlan {
    /// 0: do without.
    int abi = 0;
    std::uint64_t handled = 0;
    std::uint64_t scoped = 0;
    /// No rule grants any of it.
    std::uint64_t handled_network = 0;
    std::array<LandlockRule, kMaxWritableRoots + kMaxOtherPaths + 16> rules{};
    std::size_t rule_count = 0;
};

/// Governs every right that `options.landlock_abi` knows: read and execute everywhere; the sinks
/// and terminals of `/dev`; and under the writable roots everything but making device nodes and
/// commanding devices.
[[nodiscard]] LandlockPlan plan_landlock(const Options& options);

/// The rights that a file other than a directory can carry; others are an error (field-40).
[[nodiscard]] std::uint64_t rights_of_file(std::uint64_t access);

/// Makes the ruleset; `ruleset_fd` stays below 0 where the plan does without. Step `landlock`.
[[nodiscard]] Outcome prepare_landlock(const LandlockPlan& plan, int& ruleset_fd);

/// Puts it in force, which needs no_new_privs, and closes it. Step `landlock`.
[[nodiscard]] Outcome apply_landlock(int ruleset_fd);

}  // namespace cordon::launch
