#pragma once

#include "../../support/fake_time.hpp"
#include "context_fixture.hpp"

#include <cordon/context/timer.hpp>

#include <chrono>
#include <memory>

namespace cordon::testing {

/// A container with the timer service over a clock that the test winds.
class TimerFixture : public ContextFixture {
public:
    using Milliseconds = std::chrono::milliseconds;

    TimerFixture() {
        root.plugin(timer_plugin(time));
        user = root.plugin(plugin_of("user", {"timer"}));
        turn();
        timer = user->context().use<Timer>();
    }

    ~TimerFixture() { timer = {}; }

    TimerFixture(const TimerFixture&) = delete;
    TimerFixture& operator=(const TimerFixture&) = delete;

    /// Moves the clock on and lets everybody do what follows from it.
    void pass(int milliseconds) {
        time->advance(Milliseconds{milliseconds});
        turn();
    }

    std::shared_ptr<FakeTime> time = std::make_shared<FakeTime>();
    FiberPtr user;
    ServiceHandle<Timer> timer;
};

}  // namespace cordon::testing
