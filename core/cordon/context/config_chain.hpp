#pragma once

#include <cordon/async/task.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/fiber.hpp>

#include <functional>

namespace cordon {

class FiberImpl;

/// Runs the chain of `ConfigEvent` around `innermost`.
[[nodiscard]] Value run_config_chain(
    FiberImpl& fiber, const Value& raw, std::function<Value()> innermost
);

/// Runs the chain of `UpdateEvent` around `innermost`, with the handlers of `fiber` and the global
/// ones.
[[nodiscard]] Task<bool> run_update_chain(
    FiberImpl& fiber, Value config, bool no_save, std::function<Task<bool>()> innermost
);

}  // namespace cordon
