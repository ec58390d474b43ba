#include "running_timer.hpp"
#include "sync_effect.hpp"
#include "ticks_state.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/make_plugin.hpp>
#include <cordon/context/timer.hpp>

#include <exception>
#include <string>

namespace cordon {

Timer::Timer(std::shared_ptr<TimeSource> time) : time_(std::move(time)) {}

Timer::~Timer() = default;

void call_contained(const Context& owner, const std::function<void()>& callback) {
    try {
        callback();
    } catch (...) {
        owner.logger().error(std::current_exception());
    }
}

Error context_disposed() {
    return Error{"Context has been disposed", "CONTEXT_DISPOSED"};
}

namespace {

using Clock = TimeSource::Clock;

/// An alarm of `running` again and again. What is late is not made up for: the next call comes at
/// the next multiple of the period.
void arm_interval(
    const std::shared_ptr<TimeSource>& time,
    const std::shared_ptr<RunningTimer>& running,
    Clock::time_point due,
    Clock::duration period,
    const std::function<void()>& tick
) {
    // Weak, because the alarm belongs to what it would keep.
    const auto ring = [time, weak = std::weak_ptr{running}, due, period, tick] {
        const auto self = weak.lock();
        if (!self || !self->effect.is_active()) {
            return;
        }
        const auto missed = (time->now() - due) / period;
        arm_interval(time, self, due + (missed + 1) * period, period, tick);
        tick();
    };
    running->alarm = time->set(due, ring);
}

Effect start_interval(
    const std::shared_ptr<TimeSource>& time,
    const std::shared_ptr<RunningTimer>& running,
    Clock::duration period,
    std::function<void()> on_end,
    const std::function<void()>& tick
) {
    if (period <= Clock::duration::zero()) {
        throw Error{"an interval needs a period of more than zero", "INVALID_PERIOD"};
    }
    running->effect =
        add_sync_effect(running->owner, "ctx.interval()", [running, on_end = std::move(on_end)] {
            running->alarm = nullptr;
            on_end();
        });
    arm_interval(time, running, time->now() + period, period, tick);
    return running->effect;
}

}  // namespace

Effect Timer::call_later(const Context& caller, Duration delay, std::function<void()> callback)
    const {
    const auto running = std::make_shared<RunningTimer>(RunningTimer{caller, nullptr, {}});
    running->effect =
        add_sync_effect(caller, "ctx.timeout()", [running] { running->alarm = nullptr; });
    const auto ring = [weak = std::weak_ptr{running}, callback = std::move(callback)] {
        if (const auto self = weak.lock(); self && self->effect.request_dispose()) {
            call_contained(self->owner, callback);
        }
    };
    running->alarm = time_->set(time_->now() + delay, ring);
    return running->effect;
}

namespace {

/// What a coroutine waits for, and how that ended.
struct Pause {
    Completion ended;
    bool has_passed = false;
};

/// Ends the timer when its waiter goes, for whatever reason.
class EffectGuard {
public:
    explicit EffectGuard(Effect effect) : effect_(std::move(effect)) {}

    ~EffectGuard() { effect_.request_dispose(); }

    EffectGuard(const EffectGuard&) = delete;
    EffectGuard& operator=(const EffectGuard&) = delete;

private:
    Effect effect_;
};

Task<> wait_for_end(std::shared_ptr<Pause> pause, Effect effect) {
    const EffectGuard guard{effect};
    co_await pause->ended.wait();
    if (!pause->has_passed) {
        throw context_disposed();
    }
}

}  // namespace

Task<> Timer::timeout(const Context& caller, Duration delay) const {
    const auto pause = std::make_shared<Pause>(Pause{Completion{caller.executor()}});
    const auto running = std::make_shared<RunningTimer>(RunningTimer{caller, nullptr, {}});
    running->effect = add_sync_effect(caller, "ctx.timeout()", [running, pause] {
        running->alarm = nullptr;
        pause->ended.complete();
    });
    const auto ring = [weak = std::weak_ptr{running}, pause] {
        pause->has_passed = true;
        if (const auto self = weak.lock()) {
            self->effect.request_dispose();
        }
    };
    running->alarm = time_->set(time_->now() + delay, ring);
    return wait_for_end(pause, running->effect);
}

Effect Timer::call_repeatedly(
    const Context& caller, Duration period, std::function<void()> callback
) const {
    const auto running = std::make_shared<RunningTimer>(RunningTimer{caller, nullptr, {}});
    const auto tick = [caller, callback = std::move(callback)] {
        call_contained(caller, callback);
    };
    return start_interval(
        time_, running, period, [] {}, tick
    );
}

Ticks Timer::interval(const Context& caller, Duration period) const {
    const auto state = std::make_shared<Ticks::State>(caller);
    const auto running = std::make_shared<RunningTimer>(RunningTimer{caller, nullptr, {}});
    // Weak: letting go of the sequence ends the interval.
    const auto on_end = [weak = std::weak_ptr{state}] {
        if (const auto self = weak.lock()) {
            self->end(std::make_exception_ptr(context_disposed()));
        }
    };
    const auto tick = [weak = std::weak_ptr{state}] {
        if (const auto self = weak.lock()) {
            self->tick();
        }
    };
    state->effect = start_interval(time_, running, period, on_end, tick);
    return Ticks{state};
}

namespace {

Task<> start_timer(Context context, std::shared_ptr<TimeSource> time) {
    if (!time) {
        time = steady_time(context.executor());
    }
    context.provide(std::make_shared<Timer>(std::move(time)));
    co_return;
}

}  // namespace

PluginPtr timer_plugin(std::shared_ptr<TimeSource> time) {
    PluginDescriptor descriptor;
    descriptor.name = "timer";
    descriptor.version = "0.1.0";
    descriptor.provides = {std::string{Timer::service_name}};
    descriptor.schema = schema_of<NoConfig>();
    descriptor.apply = [time = std::move(time)](Context context, const Value& /*config*/) {
        return start_timer(std::move(context), time);
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

}  // namespace cordon
