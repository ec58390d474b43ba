#include "timer_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace cordon;
using namespace cordon::testing;

namespace {

using Lines = std::vector<std::string>;
using std::chrono::milliseconds;

/// Waits for every tick; at the given one it leaves the loop.
Task<> follow(Ticks ticks, std::vector<std::string>* trace, int limit) {
    for (int number = 1; number <= limit; ++number) {
        const bool is_tick = co_await ticks.next();
        if (!is_tick) {
            break;
        }
        trace->push_back("tick " + std::to_string(number));
    }
    trace->push_back("left");
}

Task<> pull(std::shared_ptr<Ticks> ticks, std::vector<std::string>* trace) {
    const bool is_tick = co_await ticks->next();
    trace->push_back(is_tick ? "tick" : "end");
}

class TicksFixture : public TimerFixture {
public:
    std::shared_ptr<Ticks> ticks =
        std::make_shared<Ticks>(timer->interval(user->context(), milliseconds{100}));
};

}  // namespace

TEST_SUITE("Ticks") {
    // TMR-5
    TEST_CASE_FIXTURE(TimerFixture, "come one after the other, and leaving the loop ends them") {
        start(follow(timer->interval(user->context(), milliseconds{100}), &trace, 2));
        pass(100);
        CHECK(trace == Lines{"tick 1"});

        pass(100);
        CHECK(trace == Lines{"tick 1", "tick 2", "left"});
        CHECK(time->pending() == 0);
    }

    // TMR-5
    TEST_CASE_FIXTURE(TicksFixture, "end with stop(), for all later pulls too") {
        const auto waiting = start(pull(ticks, &trace));
        turn();
        ticks->stop();
        turn();
        await(pull(ticks, &trace));

        CHECK(trace == Lines{"end", "end"});
        CHECK(waiting->ended);
        CHECK(time->pending() == 0);
    }

    // TMR-5
    TEST_CASE_FIXTURE(TicksFixture, "fail with what fail() was given, again and again") {
        const auto waiting = start(pull(ticks, &trace));
        turn();
        ticks->fail(std::make_exception_ptr(std::runtime_error{"enough"}));
        ticks->stop();
        turn();

        CHECK_THROWS_WITH(std::rethrow_exception(waiting->failure), "enough");
        CHECK_THROWS_WITH(await(pull(ticks, &trace)), "enough");
    }

    // TMR-5
    TEST_CASE_FIXTURE(TicksFixture, "fail once their owner has gone") {
        const auto waiting = start(pull(ticks, &trace));
        turn();
        await(user->dispose());

        CHECK_THROWS_WITH(std::rethrow_exception(waiting->failure), "Context has been disposed");
        CHECK_THROWS_WITH(await(pull(ticks, &trace)), "Context has been disposed");
    }

    // TMR-6, PIT-31
    TEST_CASE_FIXTURE(TicksFixture, "DIF-31: ticks that nobody waits for are kept as one") {
        pass(350);
        await(pull(ticks, &trace));
        CHECK(trace == Lines{"tick"});

        const auto waiting = start(pull(ticks, &trace));
        turn();
        CHECK_FALSE(waiting->ended);
        pass(50);
        CHECK(trace == Lines{"tick", "tick"});
    }

    // TMR-6, PIT-31
    TEST_CASE_FIXTURE(TicksFixture, "DIF-31: a second wait at the same time is an error") {
        const auto first = start(pull(ticks, &trace));
        turn();
        const auto second = start(pull(ticks, &trace));
        turn();

        REQUIRE(second->failure != nullptr);
        CHECK(code_of([&] { std::rethrow_exception(second->failure); }) == "TICKS_BUSY");

        pass(100);
        CHECK(first->failure == nullptr);
        CHECK(trace == Lines{"tick"});
    }

    TEST_CASE_FIXTURE(TicksFixture, "putting another interval in the place of one ends it") {
        *ticks = timer->interval(user->context(), milliseconds{10});
        CHECK(time->pending() == 1);
        pass(10);
        await(pull(ticks, &trace));

        CHECK(trace == Lines{"tick"});
    }
}
