#pragma once

#include "effect_state.hpp"

#include <cordon/context/effect.hpp>
#include <cordon/context/event_key.hpp>
#include <cordon/context/listener.hpp>

#include <memory>
#include <optional>

namespace cordon {

/// Makes a listener part of a container, as an effect of the fiber that owns `node`.
///
/// Precondition: the fiber is open.
/// Errors: what listeners of `ListenerEvent` throw.
struct ListenerRegistrar {
    [[nodiscard]] Effect add(EventKey event, const ListenerPtr& listener) const;

    /// What `ListenerEvent` says (spec IEV-8).
    [[nodiscard]] std::optional<Effect> ask_for_replacement(
        EventKey event, const ListenerPtr& listener
    ) const;

    std::shared_ptr<ContextNode> node;
    ListenerOptions options;
    bool is_once = false;
};

}  // namespace cordon
