#pragma once

#include <cordon/context/event.hpp>
#include <cordon/context/fiber.hpp>

#include <string>
#include <string_view>

namespace cordon {

// What the container says about itself. Observers cannot steer it: what they throw is logged, each
// on its own, and the next one is called (spec DIF-7). Listen on the root context to see all.

/// A fiber was created (it has a uid and is pending), or its disposal has begun (no uid any more).
struct PluginEvent {
    static constexpr std::string_view name = "internal/plugin";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const FiberPtr& fiber);
};

/// A fiber has left the state `old` (spec FIB-61).
struct StatusEvent {
    static constexpr std::string_view name = "internal/status";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const FiberPtr& fiber, FiberState old);
};

/// The slot of `service` has changed, or its provider has become active or stopped being so;
/// `is_filled` whether there is something in it, whatever its provider's state. Told after the
/// dependents have been re-evaluated, and only to listeners in the same scope (spec IEV-4..IEV-7).
struct ServiceEvent {
    static constexpr std::string_view name = "internal/service";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string& service, bool is_filled);
};

}  // namespace cordon
