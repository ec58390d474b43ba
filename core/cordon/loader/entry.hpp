#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/inject.hpp>
#include <cordon/context/movable_context.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/loader/row_scope.hpp>

#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What is private to the room: rows as they should be (`Entry`), and what runs for them (`Mount`).

namespace cordon {

/// One list of rows with ids of its own: the composition itself, or an included file.
struct Branch {
    /// `OWNER:` for each include around it (spec LDR-5).
    std::string prefix;
    std::filesystem::path base_folder;
    /// Empty for the composition itself.
    std::filesystem::path file;
    std::shared_ptr<const RowScope> scope;
    /// Whether starts and stops of its rows are logged (spec LDR-53).
    bool logs = false;
};

/// What a running row was started as. Where any of it changes, the row is replaced (spec LDR-23).
struct Identity {
    std::string name;
    /// Null for what carries other rows.
    PluginPtr plugin;
    Value inject;
    bool is_open = false;
    /// Of an include.
    std::filesystem::path file;

    friend bool operator==(const Identity&, const Identity&) = default;
};

/// What runs for one row. It is handed on from each generation of entries to the next, for as long
/// as there is a row of that id.
struct Mount {
    Identity identity;
    /// Raw, as the fiber has it.
    Value config;
    /// The keys `isolate` and `intercept` in force.
    Value isolate;
    Value intercept;
    /// Made at the first start; keeps the private slots of the row (spec ISO-1).
    std::shared_ptr<MovableContext> scope;
    /// In which it was applied, or to which it was moved.
    std::weak_ptr<Fiber> owner;
    FiberPtr fiber;
    /// Whatever happens to the fiber now is the loader's doing (spec LDR-52).
    bool is_in_hand = false;

    [[nodiscard]] bool is_alive() const { return fiber && fiber->uid(); }
};

enum class RowKind : std::uint8_t { plugin, group, include };

/// One row as it should be.
struct Entry {
    /// Unique in its branch, and in the whole tree (spec LDR-5).
    std::string local_id;
    std::string id;
    std::string name;
    Place place;
    /// As composed; its config is not interpolated.
    Value row;
    std::shared_ptr<const Branch> branch;
    /// The group or include that it stands in.
    Entry* owner = nullptr;
    /// Of a group or an include: its rows.
    std::vector<Entry*> children;
    RowKind kind = RowKind::plugin;
    /// Mounted because some row needs its service, not because a row says so.
    bool is_default = false;
    bool disabled = false;
    /// Of an include: the file that its rows were read from.
    std::filesystem::path file;
    PluginPtr plugin;
    std::shared_ptr<Mount> mount = std::make_shared<Mount>();
    /// Why it could not even be applied.
    std::exception_ptr failure;
    /// What was done when it failed: `import` or `apply` (spec LDR-16).
    std::string_view stage;

    void fail(std::string_view failed_stage, std::exception_ptr why) {
        stage = failed_stage;
        failure = std::move(why);
    }

    [[nodiscard]] const Object& keys() const { return *row.as_object(); }

    /// Null where there is none, or it is null.
    [[nodiscard]] const Value* key(std::string_view wanted) const;

    /// The same by value, null where there is none.
    [[nodiscard]] Value value_of(std::string_view wanted) const;

    [[nodiscard]] const FiberPtr& fiber() const noexcept { return mount->fiber; }

    [[nodiscard]] bool carries_rows() const noexcept { return kind != RowKind::plugin; }

    /// Whether `disabled` is meant for the rows inside only (spec LDR-44).
    [[nodiscard]] bool is_open() const;

    /// Whether it or a row around it is switched off (spec LDR-45).
    [[nodiscard]] bool is_off() const;

    /// Whether there should be a fiber for it.
    [[nodiscard]] bool is_wanted() const;

    /// Whether it, or a row around it, has a slot of its own for the service.
    [[nodiscard]] bool isolates(std::string_view service) const;

    /// What its fiber gets; a carrier's rows are not its config (spec EXP-5).
    [[nodiscard]] Value config() const;

    [[nodiscard]] Identity identity() const;

    /// `ID (NAME)`, the middle of every message about it.
    [[nodiscard]] std::string title() const { return id + " (" + name + ")"; }
};

/// Depth first. A deque, because entries refer to each other.
using Entries = std::deque<Entry>;

/// What isolation and intercept a row asks for, as the context takes it (spec ISO-1, ISO-2).
[[nodiscard]] ScopeOverrides scope_overrides(const Entry& entry);

/// Services that the row itself adds to those of its plugin (spec LDR-47), each with what it asks
/// of it (spec DIF-L7).
[[nodiscard]] Inject added_services(const Entry& entry);

/// `failed to STAGE loader entry ID (NAME): DETAIL`, nested in that of the rows around it (spec
/// LDR-16, LDR-17).
[[nodiscard]] Error entry_error(
    const Entry& entry, std::string_view stage, const std::exception_ptr& why
);

}  // namespace cordon
