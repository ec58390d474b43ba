#pragma once

#include "effect_state.hpp"

#include <cordon/context/effect.hpp>
#include <cordon/context/event_key.hpp>
#include <cordon/context/listener.hpp>

#include <memory>

namespace cordon {

/// Makes a listener part of a container, as an effect of the fiber that owns `node`.
///
/// Precondition: the fiber is open.
struct ListenerRegistrar {
    [[nodiscard]] Effect add(EventKey event, const ListenerPtr& listener) const;

    std::shared_ptr<ContextNode> node;
    ListenerOptions options;
    bool is_once = false;
};

}  // namespace cordon
