#include "timer_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;
using std::chrono::milliseconds;

}  // namespace

TEST_SUITE("Timer::throttle()") {
    // TMR-7
    TEST_CASE_FIXTURE(TimerFixture, "calls at once, then with the latest arguments of a window") {
        const auto say = timer->throttle(
            user->context(),
            milliseconds{100},
            [&](const std::string& text, int number) { note("{} {}", text, number); }
        );
        CHECK(say.effect().label() == "ctx.throttle()");
        say("a", 1);
        CHECK(take_trace() == Lines{"a 1"});
        say("b", 2);
        pass(50);
        say("c", 3);
        CHECK(trace.empty());

        pass(50);
        CHECK(take_trace() == Lines{"c 3"});

        // The delayed call has begun a window of its own.
        say("d", 4);
        CHECK(trace.empty());
        pass(100);
        CHECK(take_trace() == Lines{"d 4"});
        pass(100);
        say("e", 5);
        CHECK(trace == Lines{"e 5"});
    }

    // TMR-7
    TEST_CASE_FIXTURE(TimerFixture, "without trailing it drops what comes within a window") {
        const auto say = timer->throttle(
            user->context(),
            milliseconds{100},
            [&](int number) { note("{}", number); },
            Timer::Trailing::no
        );
        say(1);
        say(2);
        pass(100);
        say(3);

        CHECK(trace == Lines{"1", "3"});
    }

    // TMR-8, TMR-10
    TEST_CASE_FIXTURE(TimerFixture, "once disposed of it still calls at once, but never later") {
        const auto say = timer->throttle(user->context(), milliseconds{100}, [&](int number) {
            note("{}", number);
        });
        say(1);
        say(2);
        CHECK(say.dispose());
        CHECK_FALSE(say.dispose());
        say(3);
        pass(100);
        CHECK(trace == Lines{"1"});

        say(4);
        CHECK(trace == Lines{"1", "4"});
        CHECK(time->pending() == 0);
    }
}

TEST_SUITE("Timer::debounce()") {
    // TMR-9
    TEST_CASE_FIXTURE(TimerFixture, "calls with the last arguments after a time of silence") {
        const auto say = timer->debounce(user->context(), milliseconds{100}, [&](int number) {
            note("{}", number);
        });
        CHECK(say.effect().label() == "ctx.debounce()");
        say(1);
        pass(99);
        say(2);
        pass(99);
        CHECK(trace.empty());

        pass(1);
        pass(1000);
        CHECK(trace == Lines{"2"});
    }

    // TMR-9, TMR-10
    TEST_CASE_FIXTURE(TimerFixture, "ignores calls once it is disposed of, or its owner is") {
        const auto listen = [&](int number) {
            note("{}", number);
        };
        const auto first = timer->debounce(user->context(), milliseconds{100}, listen);
        const auto second = timer->debounce(user->context(), milliseconds{100}, listen);
        first(1);
        second(2);
        CHECK(first.dispose());
        first(3);
        await(user->dispose());
        second(4);
        pass(1000);

        CHECK(trace.empty());
        CHECK(time->pending() == 0);
    }

    TEST_CASE_FIXTURE(TimerFixture, "a delayed call that fails is logged under the owner's name") {
        const auto fail = timer->debounce(user->context(), milliseconds{1}, [] {
            throw std::runtime_error{"oops"};
        });
        fail();
        pass(1);

        CHECK(errors() == Lines{"user: oops"});
    }
}
