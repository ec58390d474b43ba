#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cordon::expression {

/// The functions of `node:path` for POSIX paths, as texts: nothing is looked up on disk.

[[nodiscard]] std::string normalized_path(std::string_view path);
[[nodiscard]] std::string joined_path(const std::vector<std::string>& parts);

/// Absolute: from the last absolute part on, or from `cwd`. Without a slash at the end.
[[nodiscard]] std::string resolved_path(
    std::string_view cwd, const std::vector<std::string>& parts
);

[[nodiscard]] std::string directory_of(std::string_view path);

/// Without `suffix`, unless the name in a longer path is nothing else.
[[nodiscard]] std::string base_of(std::string_view path, std::string_view suffix);

/// With its dot; empty where there is none, or only at the start.
[[nodiscard]] std::string extension_of(std::string_view path);

}  // namespace cordon::expression
