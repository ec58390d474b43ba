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
    if (std::optional<Effect> replacement = ask_for_replacement(event, listener)) {
        return *std::move(replacement);
    }
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

std::optional<Effect> ListenerRegistrar::ask_for_replacement(
    EventKey event, const ListenerPtr& listener
) const {
    if (!node->fiber->core().listeners.has(detail::key_of<ListenerEvent>())) {
        return std::nullopt;
    }
    const Context context{node};
    const ListenerRegistration registration{event_name(event), listener, options, context};
    std::optional<Effect> replacement = context.bail<ListenerEvent>(registration);
    // Who was asked may have ended the fiber.
    node->fiber->require_open();
    return replacement;
}

}  // namespace cordon
