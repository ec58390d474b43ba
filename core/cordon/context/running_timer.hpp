#pragma once

#include <cordon/base/error.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/time_source.hpp>

#include <functional>
#include <memory>

namespace cordon {

/// A timer that has not ended: its alarm, and the effect that ends it.
struct RunningTimer {
    Context owner;
    std::unique_ptr<TimeSource::Alarm> alarm;
    Effect effect;
};

/// The clock calls `callback`, so a failure has nobody else to go to than the log of `owner`.
void call_contained(const Context& owner, const std::function<void()>& callback);

/// `Context has been disposed` (spec TMR-3).
[[nodiscard]] Error context_disposed();

}  // namespace cordon
