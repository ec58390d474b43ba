#pragma once

#include <cordon/config/value.hpp>
#include <cordon/context/event.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

class Error;

// What the loader says about its rows. `id` is always the public one. What observers throw is
// logged; only `PatchContextEvent` takes part in what it is about.

/// A row is new in the tree; nothing has been done for it yet (spec LDR-18).
struct EntryInitEvent {
    static constexpr std::string_view name = "loader/entry-init";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string& id);
};

/// A row is about to be started, moved, or given another config. The innermost function does it; a
/// listener that does not go on keeps the row as it is (spec LDR-55).
struct PatchContextEvent {
    static constexpr std::string_view name = "loader/patch-context";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = bool(const std::string& id);
};

/// A row that is there has been changed, or is gone; `previous` are its keys before that (spec
/// LDR-54).
struct PartialDisposeEvent {
    static constexpr std::string_view name = "loader/partial-dispose";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string& id, const Value& previous, bool is_active);
};

/// The rows of a file are about to be written back to it (spec INC-16).
struct ConfigUpdateEvent {
    static constexpr std::string_view name = "loader/config-update";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::filesystem::path& file);
};

}  // namespace cordon
