#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/log.hpp>
#include <cordon/loader/patch.hpp>
#include <cordon/loader/tree.hpp>
#include <cordon/runtime/composition.hpp>
#include <cordon/runtime/watch_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace cordon {

/// How to start a composition.
struct BootOptions {
    /// `composition.environment` is also `process.env` of expressions.
    CompositionOptions composition;
    /// `process.cwd()` of expressions.
    std::filesystem::path cwd;
    /// Runs on the strand before any row mounts: for services that the host gives to rows, launch
    /// values among them (spec BOOT-1, BOOT-22). What it throws fails the boot.
    std::function<void(const Context& root)> prepare;
    /// Start what can start; `tree().rows()` says what did not.
    bool keep_going = false;
    /// Follow the files of the composition while it runs, and the libraries of its plugins: every
    /// change is one transaction, and after any failure the last good rows run on. Absent: changes
    /// take effect at the next start.
    std::optional<WatchOptions> watch;
    LogSink log;
    LogLevel log_level = LogLevel::warn;
};

/// What expressions see of this process: `process`, with this environment and working directory,
/// and `cordonHomePath`. With `base_folder` also `baseUrl`, which for a row is the tree's affair.
[[nodiscard]] CORDON_API ExpressionScope process_scope(
    const Variables& environment,
    const std::filesystem::path& cwd,
    const std::filesystem::path& base_folder = {}
);

/// A started composition: what a host embeds.
///
/// Lifetime: `shutdown()` must have completed before destruction.
/// Threads: `boot`, `context()` and `shutdown()` may be called from any executor; what the context
/// reaches is used on its strand, `context().executor()`.
class CORDON_API Runtime {
public:
    /// Composes, loads and starts. Completes when every row is active.
    ///
    /// Cancellation: stops what was started, then throws `operation_aborted`.
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
    /// To change rows. On the strand.
    [[nodiscard]] virtual EntryTree& tree() = 0;
    /// Waits until every change of a file that is known so far has been taken over or refused.
    [[nodiscard]] virtual Task<> caught_up() = 0;
    /// How many folders are watched for it; 0 where it follows no files.
    [[nodiscard]] virtual std::size_t watched_folders() const = 0;

    /// Stops everything, last started first. Safe to call again.
    [[nodiscard]] virtual Task<> shutdown() = 0;

protected:
    Runtime() = default;
};

}  // namespace cordon
