#pragma once

#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/plugin.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// A plugin library that was opened. Libraries are never unmapped.
struct LoadedPlugin {
    std::filesystem::path file;
    PluginPtr plugin;
    /// What tells one state of the file from another.
    std::string stamp;
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

    /// By the canonical path of the library.
    using Opened = std::map<std::filesystem::path, LoadedPlugin>;

    /// Opens `file` once per file and returns its plugin. What is opened is a private copy, so that
    /// the file can be overwritten while it is in use; where a copy cannot be opened (no folder for
    /// temporary files allows it, or the library looks for others beside itself), the file itself
    /// is. The ABI tag is compared before the library is opened and after.
    ///
    /// Errors: `Error` saying what is wrong: not an ELF library, no Cordon plugin, built for
    /// another ABI (showing both tags), missing symbols (the linker's text), a failing `describe`.
    [[nodiscard]] LoadedPlugin load(const std::filesystem::path& file);

    /// Where `resolve` looks, in order, whether anything is there or not.
    [[nodiscard]] std::vector<std::filesystem::path> candidates(
        std::string_view specifier, const std::filesystem::path& base_folder
    ) const;

    [[nodiscard]] const Opened& opened() const noexcept { return loaded_; }

    /// Opens those of `files` again that have changed since, whichever path they are called by;
    /// `load()` gives the new plugins from then on. The old code stays mapped, and its plugins can
    /// be started again.
    ///
    /// Errors: that of every file which cannot be opened, in one; nothing has changed then.
    void renew(const std::vector<std::filesystem::path>& files);

    /// Goes back to what `opened()` was.
    void restore(Opened opened) { loaded_ = std::move(opened); }

    /// Names of all plugins on the search path, sorted.
    [[nodiscard]] std::vector<std::string> available() const;

    [[nodiscard]] const std::vector<std::filesystem::path>& search_path() const noexcept {
        return search_path_;
    }

private:
    [[noreturn]] void not_found(
        const std::string& name,
        const std::vector<std::string>& tried,
        const std::filesystem::path& base_folder
    ) const;

    std::vector<std::pair<std::string, std::string>> aliases_;
    std::vector<std::filesystem::path> search_path_;
    Opened loaded_;
};

}  // namespace cordon
