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

void ContainerCore::set_log(LogSink sink, LogLevel threshold) {
    sink_ = std::move(sink);
    threshold_ = threshold;
}

void ContainerCore::log(LogLevel level, std::string_view name, std::string_view message) noexcept {
    if (!sink_ || level > threshold_) {
        return;
    }
    try {
        sink_(LogRecord{level, std::string{name}, std::string{message}});
    } catch (...) {
        // A sink that fails has no better place to say so, and logging never steers a lifecycle.
        return;
    }
}

void ContainerCore::announce(const SlotKey& slot) {
    for (const auto& fiber : fibers.all()) {
        if (fiber->requires_slot(slot)) {
            fiber->reevaluate();
        }
    }
    const bool is_filled = registry.find(slot) != nullptr;
    for (const ListenerTable::Record& record : listeners.of(ServiceEvent::name)) {
        if (record.listener->alive && record.node->label_of(slot.name) == slot.label) {
            observe<ServiceEvent>(record, slot.name, is_filled);
        }
    }
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
    }
}

void ContainerCore::report(
    const ListenerTable::Record& record, std::string_view event, const std::exception_ptr& failure
) {
    record.node->fiber->log(
        LogLevel::error, fmt::format("an observer of '{}' failed: {}", event, message_of(failure))
    );
}

}  // namespace cordon
