#pragma once

#include <cordon/context/time_source.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace cordon::testing {

/// A clock that the test winds: alarms ring inside `advance()`, in the order of their times.
class FakeTime final : public TimeSource {
public:
    [[nodiscard]] Clock::time_point now() const override { return now_; }

    [[nodiscard]] std::unique_ptr<Alarm> set(Clock::time_point due, std::function<void()> ring)
        override {
        const Key key{due, ++numbers_};
        alarms_->emplace(key, std::move(ring));
        return std::make_unique<FakeAlarm>(alarms_, key);
    }

    /// Moves on by `step`; time stands at each alarm's own moment while it rings.
    void advance(Clock::duration step) {
        const Clock::time_point end = now_ + step;
        while (!alarms_->empty() && alarms_->begin()->first.first <= end) {
            const auto next = alarms_->begin();
            now_ = std::max(now_, next->first.first);
            const std::function<void()> ring = std::move(next->second);
            alarms_->erase(next);
            ring();
        }
        now_ = end;
    }

    /// Moves on without ringing what is due meanwhile, as a busy machine does.
    void fall_behind(Clock::duration step) { now_ += step; }

    /// How many alarms are set.
    [[nodiscard]] std::size_t pending() const noexcept { return alarms_->size(); }

private:
    using Key = std::pair<Clock::time_point, std::uint64_t>;
    using Alarms = std::map<Key, std::function<void()>>;

    class FakeAlarm final : public Alarm {
    public:
        FakeAlarm(std::shared_ptr<Alarms> alarms, Key key)
            : alarms_(std::move(alarms)), key_(key) {}

        ~FakeAlarm() override { alarms_->erase(key_); }

    private:
        std::shared_ptr<Alarms> alarms_;
        Key key_;
    };

    Clock::time_point now_{std::chrono::hours{1}};
    std::uint64_t numbers_ = 0;
    std::shared_ptr<Alarms> alarms_ = std::make_shared<Alarms>();
};

}  // namespace cordon::testing
