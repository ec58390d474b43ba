#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/loader/patch.hpp>

#include <deque>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// One row on its way to a fiber. Private to the room.
struct Entry {
    std::string id;
    std::string name;
    Place place;
    /// As composed; its config is not interpolated.
    Value row;
    Entry* group = nullptr;
    /// Of a group: its rows.
    std::vector<Entry*> children;
    bool is_group = false;
    /// Mounted because some row needs its service, not because a row says so.
    bool is_default = false;
    bool disabled = false;
    PluginPtr plugin;
    FiberPtr fiber;
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

    /// Whether it, and every group around it, is meant to run and nothing has failed so far.
    [[nodiscard]] bool is_mountable() const;

    /// Whether it or a group around it is switched off (spec LDR-45).
    [[nodiscard]] bool is_off() const;

    /// Whether it, or a group around it, has a slot of its own for the service.
    [[nodiscard]] bool isolates(std::string_view service) const;

    /// `ID (NAME)`, the middle of every message about it.
    [[nodiscard]] std::string title() const { return id + " (" + name + ")"; }
};

/// Every entry of a tree, depth first. A deque, because entries refer to each other.
using Entries = std::deque<Entry>;

/// The rows of a composition with an id each: a row without one gets eight hexadecimal digits (spec
/// LDR-4).
[[nodiscard]] Entries make_entries(const Composition& composition);

/// Adds the row that mounts `plugin` because some row needs `service`.
Entry& add_default(Entries& entries, const std::string& service, const std::string& plugin);

/// Services that the row itself adds to those of its plugin (spec LDR-47).
[[nodiscard]] std::vector<std::string> added_services(const Entry& entry);

}  // namespace cordon
