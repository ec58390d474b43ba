#pragma once

#include <cordon/base/export.hpp>
#include <cordon/runtime/home.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A deployment of a user: the folder `profiles/NAME` in the home folder, with `profile.yml`, which
/// lists bundles, and `cordis.patch.yml`, which is the user's own.
struct Profile {
    std::string name;
    std::filesystem::path folder;
    std::filesystem::path manifest_file;
    /// Names, or folders relative to the profile's.
    std::vector<std::string> bundles;
    /// The user's layers, each of which may be absent: the profile's own, then the one of the home
    /// folder, which outranks it (spec PAT-13).
    std::vector<std::filesystem::path> patch_files;
    /// Its own plugins and bundles.
    std::filesystem::path plugins;
    std::filesystem::path bundle_folder;
};

/// Made from a template where it is missing (spec BOOT-26).
inline constexpr std::string_view kShippedProfile = "default";

/// Reads a profile. The shipped one is initialised first where it is missing.
///
/// Errors: `DiagnosticError` for a bad name or manifest, and for any other missing profile, with
/// the command that makes it. Blocks.
[[nodiscard]] CORDON_API Profile
load_profile(const std::string& name, const std::filesystem::path& home);

/// Makes the files that are missing; those that are there stay as they are. Returns what it made.
/// Blocks.
CORDON_API std::vector<std::filesystem::path> init_profile(
    const std::string& name, const std::filesystem::path& home
);

/// Names of all profiles, sorted. Blocks.
[[nodiscard]] CORDON_API std::vector<std::string> list_profiles(const std::filesystem::path& home);

/// Adds to the end of the profile's list, or takes away; false where nothing was to be done. A
/// bundle that is added must exist. Blocks.
CORDON_API bool add_bundle(const Profile& profile, const std::string& bundle);
CORDON_API bool remove_bundle(const Profile& profile, const std::string& bundle);

/// Folders in which a profile's bundles are looked for, the installation's first.
[[nodiscard]] CORDON_API std::vector<std::filesystem::path> bundle_search_path(
    const Profile& profile
);

/// A bundle of that list, by name or by folder (relative to the profile's).
[[nodiscard]] CORDON_API std::string bundle_specifier(
    const Profile& profile, const std::string& bundle
);

}  // namespace cordon
