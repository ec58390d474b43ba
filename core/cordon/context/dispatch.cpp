#include "container_core.hpp"

#include <cordon/async/task_group.hpp>
#include <cordon/base/aggregate_error.hpp>
#include <cordon/context/dispatch.hpp>
#include <cordon/context/internal_events.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace detail {

ListenerSnapshot listeners_of(const ContainerCore& core, EventKey event) {
    return core.listeners.of(event);
}

bool is_dispatch_observed(const ContainerCore& core) {
    return core.listeners.has(key_of<DispatchEvent>());
}

void announce_dispatch(ContainerCore& core, const Announcement& announcement) {
    core.notify<DispatchEvent>(
        announcement.mode, announcement.name, announcement.arguments, announcement.target
    );
}

void rethrow_as_error() {
    const std::exception_ptr failure = std::current_exception();
    if (is_cancellation(failure)) {
        throw;
    }
    std::rethrow_exception(as_error(failure));
}

void throw_next_reused(EventKey event) {
    throw Error{
        fmt::format(
            "a listener of '{}' called next() a second time. The rest of a chain runs once; keep "
            "the result of the first call.",
            event_name(event)
        ),
        "NEXT_REUSED"};
}

void throw_failures(EventKey event, std::vector<std::exception_ptr> failures) {
    std::erase(failures, nullptr);
    if (!failures.empty()) {
        throw AggregateError{fmt::format("the listeners of '{}'", event_name(event)), failures};
    }
}

}  // namespace detail

Dispatcher::Dispatcher(std::shared_ptr<ContainerCore> core, EventTarget target)
    : core_(std::move(core)), target_(std::move(target)) {}

}  // namespace cordon
