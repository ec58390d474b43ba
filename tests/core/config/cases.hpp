#pragma once

#include <filesystem>
#include <optional>

namespace cordon::testing {

/// The folder with the collected compositions and expressions of other projects, which is no part
/// of this one: `CORDON_CASES`, else `shared/cases` beside the project. Empty where there is none.
[[nodiscard]] std::optional<std::filesystem::path> cases_folder();

}  // namespace cordon::testing
