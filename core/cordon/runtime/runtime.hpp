#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/log.hpp>
#include <cordon/loader/patch.hpp>
#include <cordon/loader/tree.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
};

/// How to start one.
struct BootOptions {
    CompositionOptions composition;
    /// `process.env` of expressions, and where `CORDON_PLUGIN_PATH` is read.
    std::map<std::string, std::string, std::less<>> environment;
    /// `process.cwd()` of expressions.
    std::filesystem::path cwd;
    bool keep_going = false;
    LogSink log;
    LogLevel log_level = LogLevel::warn;
};

/// The composed rows without starting anything and without evaluating an expression.
///
/// Errors: `DiagnosticError`. Blocks on the file system.
[[nodiscard]] CORDON_API Composition compose(const CompositionOptions& options);

/// A started composition.
///
/// Lifetime: `shutdown()` must have completed before destruction.
/// Threads: everything but construction on the strand of `context()`.
class CORDON_API Runtime {
public:
    /// Composes, loads and starts. Completes when every row is active.
    ///
    /// Errors: `DiagnosticError` for the files, `Error` with code `BOOT_FAILED` for the rows.
    /// Nothing is left running then.
    [[nodiscard]] static Task<std::unique_ptr<Runtime>> boot(
        boost::asio::any_io_executor executor, BootOptions options
    );

    virtual ~Runtime();

    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    [[nodiscard]] virtual Context context() const = 0;
    [[nodiscard]] virtual const Composition& composition() const = 0;
    [[nodiscard]] virtual const EntryTree& tree() const = 0;

    /// Stops everything, last started first. Safe to call again.
    [[nodiscard]] virtual Task<> shutdown() = 0;

protected:
    Runtime() = default;
};

/// Where the package is installed, found from the library itself: `<prefix>/lib/libcordon.so`.
[[nodiscard]] CORDON_API std::filesystem::path installed_prefix();

}  // namespace cordon
