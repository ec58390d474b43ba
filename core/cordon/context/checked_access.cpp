#include "checked_access.hpp"

#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

namespace cordon {

ImplementationPtr checked_access(const Context::Node& start, std::string_view name) {
    const SlotKey slot = start.slot_of(name);
    if (start.fiber->parent() == nullptr) {
        return start.fiber->core().registry.find(slot);
    }
    for (const FiberImpl* fiber = start.fiber.get(); fiber != nullptr; fiber = fiber->parent()) {
        if (ImplementationPtr found = fiber->find_service(slot)) {
            return found;
        }
        if (fiber->requires_slot(slot)) {
            throw Error{
                fmt::format("cannot get required service \"{}\" in inactive context", name),
                "SERVICE_UNAVAILABLE"};
        }
        if (fiber->slot_of(name) != slot) {
            break;
        }
    }
    throw Error{
        fmt::format("cannot get property \"{}\" without inject", name), "SERVICE_UNAVAILABLE"};
}

}  // namespace cordon
