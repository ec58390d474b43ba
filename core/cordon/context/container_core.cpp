#include "container_core.hpp"

#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/internal_events.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// On the executor itself where its type is one of Asio's: a strand on one that hides its type
/// would allocate for every coroutine that is spawned on it, several times.
asio::any_io_executor strand_on(const asio::any_io_executor& executor) {
    if (const auto* loop = executor.target<asio::io_context::executor_type>()) {
        return asio::make_strand(*loop);
    }
    if (const auto* threads = executor.target<asio::thread_pool::executor_type>()) {
        return asio::make_strand(*threads);
    }
    return asio::make_strand(executor);
}

}  // namespace

ContainerCore::ContainerCore(const asio::any_io_executor& executor) : strand(strand_on(executor)) {}

ContainerCore::~ContainerCore() = default;

void ContainerCore::announce(const SlotKey& slot) {
    for (const auto& fiber : fibers.requiring(slot.name)) {
        fiber->look_again({slot});
    }
    publish(slot);
}

void ContainerCore::publish(const SlotKey& slot) {
    if (!listeners.has(detail::key_of<ServiceEvent>())) {
        return;
    }
    const ImplementationPtr implementation = registry.find(slot);
    Service* const value = implementation ? implementation->service().get() : nullptr;
    const EventTarget same_scope{[&slot](const Context& listener) {
        return listener.node()->label_of(slot.name) == slot.label;
    }};
    notify_within<ServiceEvent>(same_scope, slot.name, value);
}

void ContainerCore::clear() {
    listeners.clear();
    registry.clear();
    fibers.clear();
    if (const auto top = std::exchange(root, nullptr)) {
        for (const auto& effect : top->effects()) {
            effect->disown();
        }
        top->effects().clear();
        top->services().clear();
    }
}

void ContainerCore::report(
    const Listener& observer, std::string_view event, const std::exception_ptr& failure
) {
    observer.node()->fiber->log(
        LogLevel::error, fmt::format("an observer of '{}' failed: {}", event, message_of(failure))
    );
}

}  // namespace cordon
