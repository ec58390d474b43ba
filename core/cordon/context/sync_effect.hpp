#pragma once

#include <cordon/context/context.hpp>
#include <cordon/context/effect.hpp>

#include <functional>
#include <string>

namespace cordon {

/// An effect of the context's fiber whose undo happens at once when its disposal begins.
///
/// Errors: `INACTIVE_EFFECT`.
Effect add_sync_effect(const Context& context, std::string label, std::function<void()> undo);

}  // namespace cordon
