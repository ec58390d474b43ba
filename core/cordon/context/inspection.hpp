#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/fiber.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

// What stands in a container, as plain data for tools. Fibers are told apart by their uids; those
// whose disposal has begun have none and are not shown.

/// A service that a fiber requires.
struct ServiceNeed {
    std::string service;
    /// Whether it may have it now.
    bool is_available = false;
    /// Who provides it where it is available; else all who could, by what they declare or have put
    /// into the slot, and who keep it waiting. Empty where nobody could.
    std::vector<std::uint64_t> providers;
};

struct FiberRow {
    std::uint64_t uid = 0;
    /// None for the root, which stands first.
    std::optional<std::uint64_t> parent;
    std::string name;
    /// What its plugin is called; empty for anonymous ones and the root.
    std::string plugin;
    FiberState state = FiberState::pending;
    /// Why its last load failed; empty unless it is failed.
    std::string error;
    std::vector<ServiceNeed> needs;
    /// Services that it has in their slots.
    std::vector<std::string> provides;
};

/// A slot that is filled.
struct ServiceRow {
    std::string name;
    /// Empty for the outermost scope; `@realm` for a shared label, `#12` for a private one.
    std::string scope;
    /// None where its disposal has begun.
    std::optional<std::uint64_t> provider;
    /// Whether dependents and `get()` see it: its provider is active (spec SVC-11).
    bool is_visible = false;
    /// Fibers whose load works with it.
    std::vector<std::uint64_t> users;
    /// Who holds handles on it now, `NAME` or `NAME (3 handles)` (spec DIF-17).
    std::vector<std::string> holders;
};

struct Inspection {
    /// In the order of their uids.
    std::vector<FiberRow> fibers;
    /// By name, then by scope.
    std::vector<ServiceRow> services;
};

/// `context` may be any of the container's. Asks the conditions of services that a fiber has not
/// asked yet, and changes nothing.
[[nodiscard]] CORDON_API Inspection inspect(const Context& context);

}  // namespace cordon
