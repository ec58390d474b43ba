#pragma once

#include "effect_state.hpp"
#include "registry.hpp"

#include <cordon/context/service.hpp>

#include <memory>

namespace cordon {

class FiberImpl;

/// Fills `slot` on behalf of `fiber` and tells dependents, if it is active (spec SVC-1, SVC-13).
/// The effect empties the slot at once, and ends when nobody works with the service any more
/// (spec SVC-25).
///
/// Precondition: the fiber is open.
/// Errors: the text of spec SVC-2, code `SERVICE_EXISTS`.
std::shared_ptr<Effect::State> provide_service(
    FiberImpl& fiber, const SlotKey& slot, std::shared_ptr<Service> service
);

}  // namespace cordon
