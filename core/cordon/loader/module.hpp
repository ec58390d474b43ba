#pragma once

#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/plugin.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A plugin library that was opened. Libraries are never unmapped.
struct LoadedPlugin {
    std::filesystem::path file;
    PluginPtr plugin;
};

/// Finds and opens plugin libraries (spec LDR-11).
///
/// Threads: one thread at a time. Blocks on the file system.
class CORDON_API ModuleResolver {
public:
    /// `aliases` as in Bundle, first match wins. `search_path`: folders that hold `<name>.so`.
    ModuleResolver(
        std::vector<std::pair<std::string, std::string>> aliases,
        std::vector<std::filesystem::path> search_path
    );

    /// Cordon's own name for `specifier`; the same text where no alias matches.
    [[nodiscard]] std::string canonical_name(std::string_view specifier) const;

    /// The file that `specifier` names: relative to `base_folder` or absolute where it is a path,
    /// else looked for along the search path.
    ///
    /// Errors: `Error` naming every place tried and the nearest plugin name.
    [[nodiscard]] std::filesystem::path resolve(
        std::string_view specifier, const std::filesystem::path& base_folder
    ) const;

    /// Opens `file` once per file and returns its plugin. The ABI tag is compared before the
    /// library is opened and after.
    ///
    /// Errors: `Error` saying what is wrong: not an ELF library, no Cordon plugin, built for
    /// another ABI (showing both tags), missing symbols (the linker's text), a failing `describe`.
    [[nodiscard]] LoadedPlugin load(const std::filesystem::path& file);

    /// Names of all plugins on the search path, sorted.
    [[nodiscard]] std::vector<std::string> available() const;

private:
    [[noreturn]] void not_found(
        const std::string& name,
        const std::vector<std::string>& tried,
        const std::filesystem::path& base_folder
    ) const;

    std::vector<std::pair<std::string, std::string>> aliases_;
    std::vector<std::filesystem::path> search_path_;
    std::map<std::filesystem::path, LoadedPlugin> loaded_;
};

}  // namespace cordon
