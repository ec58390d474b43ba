#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/settle.hpp>

#include <boost/asio/this_coro.hpp>

#include <memory>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// Null where there is none.
std::shared_ptr<FiberImpl> first_in_flight(const ContainerCore& core) {
    return core.fibers.find_if([](const FiberImpl& fiber) { return !fiber.is_settled(); });
}

}  // namespace

Task<> all_settled(Context context) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    if (fiber_of(executor)) {
        throw_deadlock("all fibers", "Ask for it from outside the plugins");
    }
    const ContainerCore& core = context.node()->fiber->core();
    while (const auto busy = first_in_flight(core)) {
        co_await FiberImpl::quiet(busy);
    }
}

bool is_in_transition(const asio::any_io_executor& executor) {
    const auto fiber = fiber_of(executor);
    return fiber && !fiber->is_settled();
}

}  // namespace cordon
