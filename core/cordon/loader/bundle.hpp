#pragma once

#include <cordon/base/export.hpp>
#include <cordon/loader/patch.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cordon {

/// A shipped composition: a folder with `bundle.yml` and `cordis.patch.yml`.
struct Bundle {
    std::string name;
    /// Shown, never compared.
    std::string version;
    std::filesystem::path folder;
    std::filesystem::path manifest_file;
    std::filesystem::path patch_file;
    Layer layer;
    /// Where its own plugins are; empty where it has none.
    std::filesystem::path plugins;
    /// Plugin names as compositions spell them, to Cordon's own. A key may end in `*`, which stands
    /// for the rest of the name and may appear in the value.
    std::vector<std::pair<std::string, std::string>> aliases;
    /// Service to plugin: mounted before the rows where a composition needs the service and has no
    /// row for it.
    std::map<std::string, std::string> defaults;
};

/// `name_or_folder` with a slash is a folder; otherwise it is looked for in `search_path` in order.
///
/// Errors: `DiagnosticError` naming the folders that were tried.
[[nodiscard]] CORDON_API Bundle load_bundle(
    const std::string& name_or_folder, const std::vector<std::filesystem::path>& search_path
);

}  // namespace cordon
