#include "container_core.hpp"

#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/internal_events.hpp>

#include <boost/asio/strand.hpp>
#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

ContainerCore::ContainerCore(asio::any_io_executor executor)
    : strand(asio::make_strand(std::move(executor))) {}

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
            effect->owner.reset();
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
