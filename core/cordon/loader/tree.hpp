#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/patch.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cordon {

/// What mounting needs beside the rows.
struct MountOptions {
    /// Folder that relative plugin names and `baseUrl` refer to.
    std::filesystem::path base_folder;
    /// Environment, working directory and host names for expressions.
    ExpressionScope scope;
    /// Service to plugin name, for services that no row provides (Bundle::defaults).
    std::map<std::string, std::string> defaults;
    /// Mount what can be mounted and report the rest, instead of failing as a whole.
    bool keep_going = false;
    /// A body that never ends is not cut short; after this time a warning names the rows that are
    /// still loading (spec LDR-60, PIT-L19).
    std::chrono::steady_clock::duration report_loading_after = std::chrono::seconds{10};
};

/// One row as it stands in the running container.
struct RowStatus {
    std::string id;
    std::string name;
    Place place;
    bool disabled = false;
    /// Null where the row is disabled, or its plugin could not be loaded.
    FiberPtr fiber;
    /// Why the row is not active; empty where it is, or is disabled.
    std::string problem;
};

/// The mounted rows of a composition.
///
/// Threads: the container's strand.
class CORDON_API EntryTree {
public:
    /// Loads every plugin, applies every enabled row under `parent`, waits until they have settled,
    /// and audits them: each row must be active (spec BOOT-4..BOOT-11).
    ///
    /// Errors: `Error` with code `BOOT_FAILED` and one line per row that is not active, root causes
    /// first, each with file, line, row and cause (spec LDR-16, BOOT-6..BOOT-9, field-137).
    /// Everything that was started has been disposed of by then. With `keep_going` nothing is
    /// thrown for rows; read `rows()`.
    [[nodiscard]] static Task<std::unique_ptr<EntryTree>> mount(
        Context parent, Composition composition, ModuleResolver& modules, MountOptions options
    );

    virtual ~EntryTree();

    EntryTree(const EntryTree&) = delete;
    EntryTree& operator=(const EntryTree&) = delete;

    /// Depth first, in file order.
    [[nodiscard]] virtual std::vector<RowStatus> rows() const = 0;

protected:
    EntryTree() = default;
};

}  // namespace cordon
