#pragma once

#include <cordon/base/export.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/patch.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Which files make a composition, in the order in which they apply.
struct CompositionOptions {
    /// Names or folders. Absent: `base`, unless `config` is given, which then stands alone.
    std::optional<std::vector<std::string>> bundles;
    /// A `cordis.yml` entry list as the root instead of the empty list.
    std::optional<std::filesystem::path> config;
    /// Overlays; each must exist.
    std::vector<std::filesystem::path> patches;
    /// Searched for plugins before `CORDON_PLUGIN_PATH` and the installed ones.
    std::vector<std::filesystem::path> plugin_path;
    /// Where `CORDON_PLUGIN_PATH` is read.
    std::map<std::string, std::string, std::less<>> environment;
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
    /// patch, else of the last bundle.
    std::filesystem::path base_folder;
};

/// Reads all files and composes their rows. Starts nothing and evaluates no expression.
///
/// Errors: `DiagnosticError`. Blocks on the file system.
[[nodiscard]] CORDON_API ComposedDeployment compose_deployment(const CompositionOptions& options);

/// Where the package's own files are, found from the library's place, so that a moved package
/// works.
struct InstalledLayout {
    std::filesystem::path plugins;
    std::filesystem::path bundles;
};

[[nodiscard]] CORDON_API const InstalledLayout& installed_layout();

}  // namespace cordon
