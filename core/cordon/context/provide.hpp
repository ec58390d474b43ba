#pragma once

#include "effect_state.hpp"
#include "registry.hpp"

#include <cordon/context/context.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

// The parts of Context's interface that have to do with offering services; see there.

/// The effect empties the slot at once, and ends when nobody works with the service any more
/// (spec SVC-25).
///
/// Precondition: the fiber of `node` is open.
[[nodiscard]] std::shared_ptr<Effect::State> provide_service(
    const ContextNode& node,
    std::string_view name,
    std::shared_ptr<Service> service,
    ProvideOptions options
);

/// Errors: the text of spec SVC-2, code `SERVICE_EXISTS`.
[[noreturn]] void throw_occupied(const Implementation& taken);

void set_service(const ContextNode& node, std::string_view name, std::shared_ptr<Service> service);

std::vector<FiberPtr> notify_dependents(
    const ContextNode& node, const std::vector<std::string>& services
);

}  // namespace cordon
