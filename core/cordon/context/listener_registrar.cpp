#include "listener_registrar.hpp"

#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/internal_events.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace {

/// Update handlers of a fiber are called between the global ones (spec IEV-13).
int rank_of(EventKey event, const ListenerOptions& options) {
    if (event.index != detail::key_of<UpdateEvent>().index) {
        return 0;
    }
    constexpr int kBefore = -1;
    constexpr int kBehind = 1;
    return !options.global ? 0 : options.prepend ? kBefore : kBehind;
}

}  // namespace

Effect ListenerRegistrar::add(EventKey event, const ListenerPtr& listener) const {
    FiberImpl& fiber = *node->fiber;
    ContainerCore& core = fiber.core();
    listener->node_ = node;
    listener->options_ = options;
    listener->is_once_ = is_once;
    core.listeners.add(event, listener, rank_of(event, options));
    EffectPlan plan;
    plan.label = fmt::format("ctx.on(\"{}\")", event_name(event));
    // The fiber owns the effect, and keeps the core.
    plan.begin = [&core, event, listener] {
        core.listeners.remove(event, *listener);
    };
    const auto effect = fiber.add_effect(std::move(plan));
    listener->effect_ = effect;
    return Effect{effect};
}

}  // namespace cordon
