#include "config_chain.hpp"

#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/internal_events.hpp>

#include <memory>
#include <utility>

namespace cordon {

Value run_config_chain(FiberImpl& fiber, const Value& raw, std::function<Value()> innermost) {
    const FiberPtr subject = fiber.shared();
    return fiber.context().waterfall<ConfigEvent>(subject, raw, std::move(innermost));
}

Task<bool> run_update_chain(
    FiberImpl& fiber, Value config, bool no_save, std::function<Task<bool>()> innermost
) {
    const FiberPtr subject = fiber.shared();
    const EventTarget own{[&fiber](const Context& listener) {
        return listener.node()->fiber.get() == &fiber;
    }};
    return fiber.context().targeting(own).waterfall<UpdateEvent>(
        subject, std::move(config), no_save, std::move(innermost)
    );
}

}  // namespace cordon
