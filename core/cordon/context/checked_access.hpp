#pragma once

#include "registry.hpp"

#include <cordon/context/context.hpp>

#include <string_view>

namespace cordon {

/// The service that code under `start` may use without looking it up in the open: what its fiber or
/// an ancestor injected or provides, up to where the scope of the name changes (spec
/// SVC-18..SVC-21, DIF-9). Null only for the root, which sees every filled slot.
///
/// Errors: the texts of spec SVC-18, code `SERVICE_UNAVAILABLE`.
[[nodiscard]] ImplementationPtr checked_access(const Context::Node& start, std::string_view name);

}  // namespace cordon
