#include "sync_effect.hpp"

#include "context_node.hpp"
#include "effect_state.hpp"
#include "fiber_impl.hpp"

#include <utility>

namespace cordon {

Effect add_sync_effect(const Context& context, std::string label, std::function<void()> undo) {
    FiberImpl& fiber = *context.node()->fiber;
    fiber.require_open();
    EffectPlan plan;
    plan.label = std::move(label);
    plan.begin = std::move(undo);
    return Effect{fiber.add_effect(std::move(plan))};
}

}  // namespace cordon
