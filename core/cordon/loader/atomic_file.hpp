#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cordon {

/// The whole content of a file that a person wrote. Blocks.
///
/// Errors: `SYSTEM_ERROR`; also for anything larger than `kMaxYamlBytes`.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

/// Replaces the content of the file in one step, so that whoever reads it sees the old text or the
/// new one: written to a sibling, which is then renamed (spec INC-13). A link stays a link, the
/// permissions of an existing file stay what they were. Makes the folders that are missing. Blocks.
///
/// Errors: `SYSTEM_ERROR`; the file is unchanged then.
void write_atomically(const std::filesystem::path& file, std::string_view text);

}  // namespace cordon
