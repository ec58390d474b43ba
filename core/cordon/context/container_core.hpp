#pragma once

#include "fiber_table.hpp"
#include "listener_table.hpp"
#include "log_hub.hpp"
#include "registry.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/event.hpp>
#include <cordon/context/event_target.hpp>
#include <cordon/context/listener.hpp>
#include <cordon/context/time_source.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// The state that every context of a container reaches. Kept alive by whoever holds a context.
class ContainerCore : public std::enable_shared_from_this<ContainerCore> {
public:
    explicit ContainerCore(const boost::asio::any_io_executor& executor);
    ~ContainerCore();

    ContainerCore(const ContainerCore&) = delete;
    ContainerCore& operator=(const ContainerCore&) = delete;

    const boost::asio::any_io_executor strand;
    Registry registry;
    FiberTable fibers;
    ListenerTable listeners;
    LogHub log;
    std::shared_ptr<FiberImpl> root;

    /// How long a load or unload may last before it is told of (spec DIF-25).
    struct Patience {
        std::chrono::milliseconds limit;
        std::shared_ptr<TimeSource> time;
    };

    std::optional<Patience> patience;

    /// What undos throw from the beginning of a checked shutdown on, for everybody who asks for one
    /// (spec DIF-4).
    std::optional<std::vector<std::exception_ptr>> undo_failures;

    /// Never the same number twice; for uids, implementations and private labels alike.
    [[nodiscard]] std::uint64_t next_number() noexcept { return ++numbers_; }

    [[nodiscard]] std::uint64_t next_uid() noexcept { return ++uids_; }

    /// Has all who require the slot look again, then publishes it.
    void announce(const SlotKey& slot);
    /// Tells observers in the slot's scope what is in it.
    void publish(const SlotKey& slot);

    /// Calls every observer of `E`; a failing one is logged and the others still run (spec DIF-7).
    template <EventDefinition E, typename... Arguments>
    void notify(const Arguments&... arguments) {
        notify_within<E>(EventTarget{}, arguments...);
    }

    /// The same for those whom `target` accepts.
    template <EventDefinition E, typename... Arguments>
    void notify_within(const EventTarget& target, const Arguments&... arguments) {
        const ListenerSnapshot observers = listeners.of(detail::key_of<E>());
        if (!observers) {
            return;
        }
        for (const ListenerPtr& observer : *observers) {
            try {
                if (observer->take(target)) {
                    static_cast<detail::ListenerFor<E>&>(*observer).call(arguments...);
                }
            } catch (...) {
                report(*observer, E::name, std::current_exception());
            }
        }
    }

    /// Breaks what refers to each other, for the end of the container.
    void clear();

private:
    void report(
        const Listener& observer, std::string_view event, const std::exception_ptr& failure
    );

    std::uint64_t numbers_ = 0;
    std::uint64_t uids_ = 0;
};

}  // namespace cordon
