#pragma once

#include <cordon/runtime/composition.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cordon::cli {

/// What `cordon doctor` says about the host itself, as name and value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> kernel_facts();

/// Settings that weaken what confinement is worth, one sentence each. `workspace` is absolute.
[[nodiscard]] std::vector<std::string> risky_settings(
    const ComposedDeployment& deployment, const std::optional<std::string>& workspace
);

/// What no backend covers in any mode, one sentence each.
[[nodiscard]] const std::vector<std::string>& uncovered_effects();

}  // namespace cordon::cli
