#pragma once

#include <cordon/base/export.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace cordon {

/// What a process finds in its environment.
using Variables = std::map<std::string, std::string, std::less<>>;

/// `CORDON_HOME`, in which a leading `~` is the home directory, and which counts as unset where it
/// is blank; else `.cordon` in the home directory (spec composition.md 4). Empty where there is
/// neither.
[[nodiscard]] CORDON_API std::filesystem::path home_folder(const Variables& environment);

}  // namespace cordon
