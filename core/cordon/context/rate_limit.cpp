#include "running_timer.hpp"
#include "sync_effect.hpp"

#include <cordon/context/rate_limit.hpp>
#include <cordon/context/timer.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace cordon {

RateLimit::~RateLimit() = default;

namespace {

using Clock = TimeSource::Clock;

/// A call that is held, until the alarm rings or the owner goes.
class HeldCall : public RateLimit, public std::enable_shared_from_this<HeldCall> {
public:
    HeldCall(std::shared_ptr<TimeSource> time, Context owner)
        : time_(std::move(time)), owner_(std::move(owner)) {}

    void close() {
        is_open_ = false;
        alarm_ = nullptr;
        job_ = nullptr;
    }

protected:
    [[nodiscard]] bool is_open() const noexcept { return is_open_; }

    [[nodiscard]] bool is_held() const noexcept { return alarm_ != nullptr; }

    [[nodiscard]] Clock::time_point now() const { return time_->now(); }

    void replace(std::function<void()> job) { job_ = std::move(job); }

    void hold_until(Clock::time_point due) {
        alarm_ = time_->set(due, [weak = weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->release();
            }
        });
    }

    virtual void on_release() {}

private:
    void release() {
        alarm_ = nullptr;
        on_release();
        if (const auto job = std::exchange(job_, nullptr)) {
            call_contained(owner_, job);
        }
    }

    std::shared_ptr<TimeSource> time_;
    Context owner_;
    bool is_open_ = true;
    std::unique_ptr<TimeSource::Alarm> alarm_;
    std::function<void()> job_;
};

class Throttle final : public HeldCall {
public:
    Throttle(
        std::shared_ptr<TimeSource> time,
        Context owner,
        Clock::duration window,
        Timer::Trailing trailing
    )
        : HeldCall(std::move(time), std::move(owner)), window_(window), trailing_(trailing) {}

    void call(std::function<void()> job) override {
        const bool is_within = last_ && now() - *last_ < window_;
        if (!is_within && !is_held()) {
            last_ = now();
            job();
        } else if (is_open() && trailing_ == Timer::Trailing::yes) {
            replace(std::move(job));
            if (!is_held()) {
                hold_until(*last_ + window_);
            }
        }
    }

private:
    void on_release() override { last_ = now(); }

    Clock::duration window_;
    Timer::Trailing trailing_;
    std::optional<Clock::time_point> last_;
};

class Debounce final : public HeldCall {
public:
    Debounce(std::shared_ptr<TimeSource> time, Context owner, Clock::duration delay)
        : HeldCall(std::move(time), std::move(owner)), delay_(delay) {}

    void call(std::function<void()> job) override {
        if (is_open()) {
            replace(std::move(job));
            hold_until(now() + delay_);
        }
    }

private:
    Clock::duration delay_;
};

Effect close_with(const Context& caller, std::string label, std::shared_ptr<HeldCall> limit) {
    return add_sync_effect(caller, std::move(label), [limit = std::move(limit)] {
        limit->close();
    });
}

}  // namespace

Timer::Limit Timer::make_throttle(const Context& caller, Duration window, Trailing trailing) const {
    const auto limit = std::make_shared<Throttle>(time_, caller, window, trailing);
    return {limit, close_with(caller, "ctx.throttle()", limit)};
}

Timer::Limit Timer::make_debounce(const Context& caller, Duration delay) const {
    const auto limit = std::make_shared<Debounce>(time_, caller, delay);
    return {limit, close_with(caller, "ctx.debounce()", limit)};
}

}  // namespace cordon
