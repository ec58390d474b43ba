#pragma once

#include <cordon/async/task.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/dispatch.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/event.hpp>
#include <cordon/context/event_target.hpp>
#include <cordon/context/fiber.hpp>
#include <cordon/context/listener.hpp>
#include <cordon/context/service.hpp>

#include <memory>
#include <optional>
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

/// The slot of `service` has changed, or its provider has become active or stopped being so.
/// `value` is what is in it now, whatever its provider's state, null for nothing; good for the
/// duration of the call. Told after the dependents have been re-evaluated, and only to listeners in
/// the same scope (spec IEV-4..IEV-7).
struct ServiceEvent {
    static constexpr std::string_view name = "internal/service";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(const std::string& service, Service* value);
};

/// An event that is not internal is about to be dispatched, with or without listeners. `arguments`
/// are those of the dispatch, without a waterfall's innermost function (spec IEV-9, IEV-10).
struct DispatchEvent {
    static constexpr std::string_view name = "internal/dispatch";
    static constexpr Dispatch mode = Dispatch::emit;
    using Signature = void(
        Dispatch mode,
        std::string_view name,
        const EventArguments& arguments,
        const EventTarget& target
    );
};

// What follows takes part in what it is about, so what its listeners throw counts.

/// A registration that is about to happen.
struct ListenerRegistration {
    std::string_view event;
    /// Whoever keeps it may call it later, until the registering fiber has unloaded.
    const ListenerPtr& listener;
    const ListenerOptions& options;
    /// In whose name it happens.
    const Context& context;

    /// The listener as one of `E`, to be called by its `call()`; null if it listens to another
    /// event.
    template <EventDefinition E>
    [[nodiscard]] std::shared_ptr<detail::ListenerFor<E>> listener_of() const {
        return event == E::name ? std::static_pointer_cast<detail::ListenerFor<E>>(listener)
                                : nullptr;
    }
};

/// Asked before each registration of a listener. An effect in return takes the place of the
/// registration, and whoever registers gets it (spec IEV-8). It should be one of the context that
/// registers, so that it ends with it.
struct ListenerEvent {
    static constexpr std::string_view name = "internal/listener";
    static constexpr Dispatch mode = Dispatch::bail;
    using Signature = std::optional<Effect>(const ListenerRegistration& registration);
};

/// The config of `fiber` is about to be checked, at a load or for an update of an active fiber. The
/// innermost function gives back what `raw` stands for; the result is checked and passed to the
/// body (spec IEV-11).
struct ConfigEvent {
    static constexpr std::string_view name = "internal/config";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = Value(const FiberPtr& fiber, const Value& raw);
};

/// `fiber`, which is active, is to get another config, which has been checked. The innermost
/// function puts it in force and restarts the fiber. A listener that does not go on keeps that from
/// happening, and its result is the one of the update: false for a veto, true where it has dealt
/// with the config itself (spec FIB-34, FIB-35).
///
/// A listener is told of updates of its own fiber; only global ones, of all. Those are called first
/// if they were prepended, else after the fiber's own (spec IEV-12, IEV-13). They go with the load
/// that registered them (spec DIF-12).
struct UpdateEvent {
    static constexpr std::string_view name = "internal/update";
    static constexpr Dispatch mode = Dispatch::waterfall;
    using Signature = Task<bool>(const FiberPtr& fiber, const Value& config, bool no_save);
};

}  // namespace cordon
