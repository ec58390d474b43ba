#include "listener_table.hpp"

#include <utility>

namespace cordon {

void ListenerTable::add(std::string_view event, Record record, ListenerOptions options) {
    std::vector<Record>& records = events_[std::string{event}];
    records.insert(options.prepend ? records.begin() : records.end(), std::move(record));
}

void ListenerTable::remove(std::string_view event, Listener& listener) {
    listener.alive = false;
    const auto records = events_.find(event);
    if (records == events_.end()) {
        return;
    }
    std::erase_if(records->second, [&](const Record& record) {
        return record.listener.get() == &listener;
    });
    if (records->second.empty()) {
        events_.erase(records);
    }
}

std::vector<ListenerTable::Record> ListenerTable::of(std::string_view event) const {
    const auto records = events_.find(event);
    return records == events_.end() ? std::vector<Record>{} : records->second;
}

}  // namespace cordon
