#pragma once

#include <cordon/context/event_key.hpp>
#include <cordon/context/listener.hpp>

#include <memory>
#include <vector>

namespace cordon {

/// Who listens to what, in calling order.
class ListenerTable {
public:
    /// A listener that is prepended comes before, any other behind those of its own rank; ranks
    /// come in rising order.
    void add(EventKey event, ListenerPtr listener, int rank = 0);
    /// The listener is skipped from now on, also by a dispatch that runs (spec DIF-8).
    void remove(EventKey event, Listener& listener);

    /// The set as it is now; later changes do not show in it (spec EVT-9).
    [[nodiscard]] ListenerSnapshot of(EventKey event) const noexcept {
        return has(event) ? events_[event.index] : nullptr;
    }

    [[nodiscard]] bool has(EventKey event) const noexcept {
        return event.index < events_.size() && events_[event.index] != nullptr;
    }

    void clear() { events_.clear(); }

private:
    using List = std::vector<ListenerPtr>;

    [[nodiscard]] static List::const_iterator place_in(
        const List& list, const ListenerOptions& options, int rank
    );

    /// For a change: what a dispatch looks at is not touched.
    [[nodiscard]] List& own(EventKey event);

    /// By the number of the event; null where nobody listens.
    std::vector<std::shared_ptr<List>> events_;
};

}  // namespace cordon
