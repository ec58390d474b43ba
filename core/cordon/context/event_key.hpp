#pragma once

#include <cordon/base/export.hpp>
#include <cordon/context/event.hpp>

#include <cstdint>
#include <string_view>
#include <typeinfo>

namespace cordon {

/// The number of an event name, the same in all containers and plugins of the process.
struct EventKey {
    std::uint32_t index = 0;
};

/// Gives a name its number. Different tag types may share a name (each plugin has its own copy of a
/// tag), if they agree on what it means.
///
/// Errors: code `EVENT_MISMATCH` where the name is known with another signature or mode.
/// Threads: any.
[[nodiscard]] CORDON_API EventKey
event_key(std::string_view name, Dispatch mode, const std::type_info& signature);

/// What `event_key()` was told.
[[nodiscard]] CORDON_API std::string_view event_name(EventKey key);

/// Reserved for the container; dispatches of them are not announced (spec EVT-8, IEV-10).
[[nodiscard]] constexpr bool is_internal_event(std::string_view name) {
    return name.starts_with("internal/");
}

}  // namespace cordon
