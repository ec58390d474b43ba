#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/plugin.hpp>
#include <cordon/context/rate_limit.hpp>
#include <cordon/context/service.hpp>
#include <cordon/context/ticks.hpp>
#include <cordon/context/time_source.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace cordon {

/// A function that returns nothing: a coroutine behind a timer would never run.
template <typename Function>
concept TimerCallback =
    std::is_invocable_r_v<void, Function&> && std::is_void_v<std::invoke_result_t<Function&>>;

/// Timers as effects of whoever calls: they end with the caller's fiber, not with the timer's (spec
/// TMR-1). What a callback throws is logged under the caller's name and stops nothing.
///
///     context.use<Timer>()->timeout(context, 5s, [] { … });
///
/// Errors, of all: `INACTIVE_EFFECT`.
class CORDON_API Timer : public Service {
public:
    static constexpr std::string_view service_name = "timer";

    using Duration = TimeSource::Clock::duration;

    explicit Timer(std::shared_ptr<TimeSource> time);
    ~Timer() override;

    /// Calls `callback` once. The effect has ended by then; ending it before cancels the call (spec
    /// TMR-2).
    template <TimerCallback Callback>
    Effect timeout(const Context& caller, Duration delay, Callback callback) const {
        return call_later(caller, delay, std::move(callback));
    }

    /// Completes after `delay`, which begins now (spec TMR-3).
    ///
    /// Errors: `Context has been disposed`, code `CONTEXT_DISPOSED`, when the owner goes first.
    /// Cancellation: ends the wait.
    [[nodiscard]] Task<> timeout(const Context& caller, Duration delay) const;

    /// Calls `callback` every `period` until the effect ends (spec TMR-4). Calls that are late do
    /// not pile up. Precondition: `period` is more than zero.
    template <TimerCallback Callback>
    Effect interval(const Context& caller, Duration period, Callback callback) const {
        return call_repeatedly(caller, period, std::move(callback));
    }

    /// The same as a sequence (spec TMR-5).
    [[nodiscard]] Ticks interval(const Context& caller, Duration period) const;

    enum class Trailing { yes, no };

    /// Lets one call through at once and holds those that follow within `window` until its end,
    /// when one with the latest arguments happens; without trailing they are dropped (spec TMR-7).
    /// Once it is disposed of, calls that would happen at once still do, others never (spec TMR-8).
    template <typename Function>
    [[nodiscard]] auto throttle(
        const Context& caller, Duration window, Function function, Trailing trailing = Trailing::yes
    ) const {
        auto [limit, effect] = make_throttle(caller, window, trailing);
        return limited(std::function{std::move(function)}, std::move(limit), std::move(effect));
    }

    /// Calls `function` with the last arguments once nobody has called for `delay` (spec TMR-9).
    template <typename Function>
    [[nodiscard]] auto debounce(const Context& caller, Duration delay, Function function) const {
        auto [limit, effect] = make_debounce(caller, delay);
        return limited(std::function{std::move(function)}, std::move(limit), std::move(effect));
    }

private:
    using Limit = std::pair<std::shared_ptr<RateLimit>, Effect>;

    template <typename... A>
    static Limited<std::decay_t<A>...> limited(
        std::function<void(A...)> function, std::shared_ptr<RateLimit> limit, Effect effect
    ) {
        return {std::move(function), std::move(limit), std::move(effect)};
    }

    Effect call_later(const Context& caller, Duration delay, std::function<void()> callback) const;
    Effect call_repeatedly(const Context& caller, Duration period, std::function<void()> callback)
        const;
    [[nodiscard]] Limit make_throttle(const Context& caller, Duration window, Trailing trailing)
        const;
    [[nodiscard]] Limit make_debounce(const Context& caller, Duration delay) const;

    std::shared_ptr<TimeSource> time_;
};

/// The plugin that provides the service. Null: the steady clock.
[[nodiscard]] CORDON_API PluginPtr timer_plugin(std::shared_ptr<TimeSource> time = nullptr);

}  // namespace cordon
