#pragma once

#include <cordon/base/export.hpp>
#include <cordon/loader/bundle.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/patch.hpp>
#include <cordon/runtime/profile.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Which files make a composition, in the order in which they apply.
struct CompositionOptions {
    /// Names or folders, after those of the profile. Absent: `base`, unless a profile or `config`
    /// is given, which then stands alone.
    std::optional<std::vector<std::string>> bundles;
    /// A user's deployment: its bundles, its own layer and the home-level one (profile.hpp).
    std::optional<std::string> profile;
    /// A `cordis.yml` entry list as the root instead of the empty list.
    std::optional<std::filesystem::path> config;
    /// Overlays; each must exist.
    std::vector<std::filesystem::path> patches;
    /// Searched for plugins before `CORDON_PLUGIN_PATH` and the installed ones.
    std::vector<std::filesystem::path> plugin_path;
    /// Where `CORDON_PLUGIN_PATH` and `CORDON_HOME` are read.
    Variables environment;
};

/// The rows of a composition and what is needed to find their plugins.
struct ComposedDeployment {
    Composition composition;
    /// Of every bundle, and of `base` in any case: compositions may stand alone and still use its
    /// names.
    std::vector<std::pair<std::string, std::string>> aliases;
    std::map<std::string, std::string> defaults;
    std::vector<std::filesystem::path> plugin_path;
    /// What relative plugin names and `baseUrl` refer to: the folder of `config`, else of the last
    /// patch, else of the profile, else of the last bundle.
    std::filesystem::path base_folder;

    /// What it was made from, for whoever follows the files. By file, an absent optional one being
    /// an empty layer.
    std::map<std::filesystem::path, Layer> layers;
    std::map<std::string, Bundle> bundles;
    std::optional<Profile> profile;

    /// Every file whose change changes the composition, absent ones too.
    [[nodiscard]] CORDON_API std::set<std::filesystem::path> files() const;
};

/// What stays as it was when a composition is read again.
struct Recomposition {
    const ComposedDeployment& previous;
    /// Whether the file keeps the content that it had before.
    std::function<bool(const std::filesystem::path& file)> is_frozen;
};

/// Reads all files and composes their rows. Starts nothing and evaluates no expression.
///
/// Errors: `DiagnosticError`. Blocks on the file system.
[[nodiscard]] CORDON_API ComposedDeployment compose_deployment(const CompositionOptions& options);

/// The same again, for changed files. Which bundles there are stays as it was.
[[nodiscard]] CORDON_API ComposedDeployment
recompose_deployment(const CompositionOptions& options, const Recomposition& again);

/// Where the package's own files are, found from the library's place, so that a moved package
/// works.
struct InstalledLayout {
    std::filesystem::path plugins;
    std::filesystem::path bundles;
};

[[nodiscard]] CORDON_API const InstalledLayout& installed_layout();

}  // namespace cordon
