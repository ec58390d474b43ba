#pragma once

#include <cordon/context/context.hpp>
#include <cordon/context/event.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Who listens to what, in calling order.
class ListenerTable {
public:
    struct Record {
        ListenerPtr listener;
        /// Where it was registered; its scope filters announcements of services (spec IEV-4).
        std::shared_ptr<Context::Node> node;
    };

    void add(std::string_view event, Record record, ListenerOptions options);
    /// The listener is skipped from now on, also by a dispatch that runs (spec DIF-8).
    void remove(std::string_view event, Listener& listener);

    /// A copy: the set is fixed when a dispatch starts (spec EVT-9).
    [[nodiscard]] std::vector<Record> of(std::string_view event) const;

    void clear() { events_.clear(); }

private:
    std::map<std::string, std::vector<Record>, std::less<>> events_;
};

}  // namespace cordon
