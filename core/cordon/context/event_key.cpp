#include <cordon/base/error.hpp>
#include <cordon/context/event_key.hpp>

#include <fmt/format.h>

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace cordon {
namespace {

struct KnownEvent {
    std::string name;
    Dispatch mode = Dispatch::emit;
    /// A copy of its mangled name: the library that made it known may be replaced.
    std::string signature;
};

/// Never shrinks, so names stay where they are. Containers on several threads share it.
struct KnownEvents {
    std::mutex mutex;
    std::deque<KnownEvent> events;
    std::map<std::string_view, std::uint32_t> numbers;
};

KnownEvents& known_events() {
    static auto* const known = new KnownEvents;  // outlives every plugin's last call
    return *known;
}

[[noreturn]] void refuse_mismatch(const KnownEvent& known, Dispatch mode) {
    throw Error{
        fmt::format(
            "event '{}' is known as {} with another signature, and used as {} here. Let both "
            "sides include the same definition, or give one of them another name.",
            known.name,
            to_string(known.mode),
            to_string(mode)
        ),
        "EVENT_MISMATCH"};
}

}  // namespace

EventKey event_key(std::string_view name, Dispatch mode, const std::type_info& signature) {
    KnownEvents& known = known_events();
    const std::lock_guard lock{known.mutex};
    const auto found = known.numbers.find(name);
    if (found != known.numbers.end()) {
        const KnownEvent& event = known.events[found->second];
        if (event.mode != mode || event.signature != signature.name()) {
            refuse_mismatch(event, mode);
        }
        return EventKey{found->second};
    }
    const auto number = static_cast<std::uint32_t>(known.events.size());
    known.events.push_back(KnownEvent{std::string{name}, mode, signature.name()});
    known.numbers.emplace(known.events.back().name, number);
    return EventKey{number};
}

std::string_view event_name(EventKey key) {
    KnownEvents& known = known_events();
    const std::lock_guard lock{known.mutex};
    return known.events[key.index].name;
}

}  // namespace cordon
