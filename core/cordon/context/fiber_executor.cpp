#include "fiber_executor.hpp"

#include "effect_state.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

namespace cordon {

namespace asio = boost::asio;

std::shared_ptr<FiberImpl> fiber_of(const asio::any_io_executor& executor) {
    const auto* inside = executor.target<FiberExecutor>();
    return inside == nullptr ? nullptr : inside->work().fiber.lock();
}

std::shared_ptr<Effect::State> effect_of(const asio::any_io_executor& executor) {
    const auto* inside = executor.target<FiberExecutor>();
    return inside == nullptr ? nullptr : inside->work().effect.lock();
}

void throw_deadlock(const std::string& what, const std::string& instead) {
    throw Error{
        fmt::format(
            "waiting for {} here would deadlock, because it waits for the caller. {}.",
            what,
            instead
        ),
        "DEADLOCK"};
}

}  // namespace cordon
