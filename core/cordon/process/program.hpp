#pragma once

#include <cordon/base/export.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Every executable regular file called `name` in the folders of `path` (the value of PATH), in
/// their order. Relative folders are taken from `base`; with an empty `base` they are skipped, as
/// the host's own programs never come from wherever it happens to stand. Blocks on the file system.
[[nodiscard]] CORDON_API std::vector<std::filesystem::path> find_programs(
    std::string_view name, std::string_view path, const std::filesystem::path& base = {}
);

/// What is searched where no PATH is set.
inline constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

}  // namespace cordon
