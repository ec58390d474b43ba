#include "listener_table.hpp"

#include <algorithm>
#include <utility>

namespace cordon {

void ListenerTable::add(EventKey event, ListenerPtr listener, int rank) {
    listener->rank_ = rank;
    List& list = own(event);
    list.insert(place_in(list, listener->options(), rank), std::move(listener));
}

ListenerTable::List::const_iterator ListenerTable::place_in(
    const List& list, const ListenerOptions& options, int rank
) {
    if (options.prepend) {
        return std::find_if(list.begin(), list.end(), [rank](const ListenerPtr& other) {
            return other->rank_ >= rank;
        });
    }
    return std::find_if(
               list.rbegin(),
               list.rend(),
               [rank](const ListenerPtr& other) { return other->rank_ <= rank; }
    ).base();
}

void ListenerTable::remove(EventKey event, Listener& listener) {
    listener.is_alive_ = false;
    if (!has(event)) {
        return;
    }
    List& list = own(event);
    // From the end, because unloads go that way.
    const auto found = std::find_if(list.rbegin(), list.rend(), [&](const ListenerPtr& other) {
        return other.get() == &listener;
    });
    if (found != list.rend()) {
        list.erase(std::next(found).base());
    }
    if (list.empty()) {
        events_[event.index] = nullptr;
    }
}

ListenerTable::List& ListenerTable::own(EventKey event) {
    if (event.index >= events_.size()) {
        events_.resize(event.index + 1);
    }
    std::shared_ptr<List>& list = events_[event.index];
    if (!list) {
        list = std::make_shared<List>();
    } else if (list.use_count() > 1) {
        list = std::make_shared<List>(*list);
    }
    return *list;
}

}  // namespace cordon
