#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/service.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/patch.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    /// Log `apply plugin NAME` and the like for each row (spec LDR-53).
    bool logs = false;
    /// A body that never ends is not cut short; after this time a warning names the rows that are
    /// still loading (spec LDR-60, PIT-L19).
    std::chrono::steady_clock::duration report_loading_after = std::chrono::seconds{10};
};

/// One row as it stands in the running container.
struct RowStatus {
    /// `OWNER:ID` for a row of an included file (spec LDR-5).
    std::string id;
    std::string name;
    Place place;
    bool disabled = false;
    /// Null where the row is disabled, or its plugin could not be loaded.
    FiberPtr fiber;
    /// Why the row is not active; empty where it is, or is disabled.
    std::string problem;
    /// Id of the group or include that it stands in; empty at the top level.
    std::string owner;
    /// The library that its plugin came from; empty for groups, includes and rows that are off.
    PluginPtr plugin;
    /// Its keys, not evaluated (spec EXP-4).
    Value options;
};

/// Where in the tree a row is to stand. Not an aggregate: as a default argument of an awaited call,
/// g++ 12 would destroy one twice.
struct RowPlace {
    RowPlace() = default;

    explicit RowPlace(std::string group_id) : group(std::move(group_id)) {}

    /// Id of a group or include; empty for the top level.
    std::string group;
    /// Beyond the end: at the end.
    std::size_t index = std::numeric_limits<std::size_t>::max();
};

/// The rows of a composition and what runs for them; also the service `loader`.
///
/// Every change is one transaction over the whole tree (spec DIF-L1): new code is opened first,
/// rows that did not change are not touched, and after any failure the tree runs as before.
/// Operations are done one after the other (spec DIF-L13) and complete when what they concern has
/// settled (spec LDR-31).
///
/// Errors of all operations: `failed to STAGE loader entry ID (NAME): DETAIL` for one row, code
/// `ENTRY_FAILED`, else `loader entries failed to apply: …` (spec LDR-26, LDR-38);
/// `cannot resolve entry ID`; `entry ID is not a group`; `duplicate loader entry id: ID`; code
/// `DEADLOCK` from inside the body or undo of a plugin, which they would wait for.
/// Cancellation: ends the wait only.
/// Threads: the container's strand.
class CORDON_API EntryTree : public Service {
public:
    static constexpr std::string_view service_name = "loader";

    /// Loads every plugin, applies every enabled row under `parent`, waits until they have settled,
    /// and audits them: each row must be active (spec BOOT-4..BOOT-11).
    ///
    /// Lifetime: `modules` must outlive the container.
    /// Errors: `Error` with code `BOOT_FAILED` and one line per row that is not active, root causes
    /// first, each with file, line, row and cause (spec LDR-16, BOOT-6..BOOT-9, field-137).
    /// Everything that was started has been disposed of by then. With `keep_going` nothing is
    /// thrown for rows; read `rows()`.
    [[nodiscard]] static Task<std::shared_ptr<EntryTree>> mount(
        Context parent, Composition composition, ModuleResolver& modules, MountOptions options
    );

    ~EntryTree() override;

    /// Depth first, in file order.
    [[nodiscard]] virtual std::vector<RowStatus> rows() const = 0;

    /// The row that `fiber` belongs to, itself or by way of a parent (spec LDR-8).
    [[nodiscard]] virtual std::optional<std::string> locate(const FiberPtr& fiber) const = 0;

    /// Adds a row and gives its id (spec LDR-13). A row that waits for a service is a success (spec
    /// LDR-14).
    [[nodiscard]] virtual Task<std::string> create(Value row, RowPlace place = {}) = 0;

    /// Replaces the given keys of a row, null for taking one away (spec LDR-20), and moves it if a
    /// place is given (spec LDR-34).
    [[nodiscard]] virtual Task<> update(
        std::string id, Object changes, std::optional<RowPlace> place = std::nullopt
    ) = 0;

    [[nodiscard]] virtual Task<> remove(std::string id) = 0;

    /// Puts other rows in the place of the composition's, for a changed file.
    [[nodiscard]] virtual Task<> replace(Composition composition) = 0;

    /// Reads an included file again; identical text changes nothing (spec INC-8).
    [[nodiscard]] virtual Task<> refresh(std::filesystem::path file) = 0;

    /// Opens these libraries again where they have changed, and restarts the rows of their plugins
    /// with what needs them (spec HMR-13..HMR-26, DIF-L9). Returns the ids of these rows.
    [[nodiscard]] virtual Task<std::vector<std::string>> reload_plugins(
        std::vector<std::filesystem::path> libraries
    ) = 0;

    /// Waits until no operation and no transition of a row is under way (spec LDR-56, LDR-57).
    ///
    /// Errors: `failed to apply loader entry …`, or `loader fibers failed: …`; code `TIMEOUT`
    /// naming the rows that are still loading, after `deadline` (spec DIF-L11).
    [[nodiscard]] virtual Task<> await(
        std::optional<std::chrono::steady_clock::duration> deadline = std::nullopt
    ) = 0;

    /// The included files, and the plugin libraries in use.
    [[nodiscard]] virtual std::vector<std::filesystem::path> included_files() const = 0;
    [[nodiscard]] virtual std::vector<std::filesystem::path> libraries() const = 0;
};

}  // namespace cordon
