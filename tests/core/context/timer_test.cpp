#include "timer_fixture.hpp"

#include <cordon/async/task_group.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
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

TEST_SUITE("Timer::timeout()") {
    // TMR-2
    TEST_CASE_FIXTURE(TimerFixture, "calls once, when its effect has ended") {
        Effect effect;
        effect = timer->timeout(user->context(), milliseconds{100}, [&] {
            note("called {}", effect.is_active());
        });
        CHECK(effect.label() == "ctx.timeout()");
        pass(99);
        CHECK(trace.empty());

        pass(1);
        pass(1000);
        CHECK(trace == Lines{"called false"});
        CHECK(time->pending() == 0);
    }

    // TMR-2
    TEST_CASE_FIXTURE(TimerFixture, "is cancelled by its effect") {
        const Effect effect =
            timer->timeout(user->context(), milliseconds{100}, [&] { note("called"); });

        CHECK(effect.request_dispose());
        CHECK(time->pending() == 0);
        pass(1000);
        CHECK(trace.empty());
    }

    // TMR-1, SVC-48
    TEST_CASE_FIXTURE(TimerFixture, "ends with its caller, not with the timer's user or provider") {
        timer->timeout(user->context(), milliseconds{100}, [&] { note("user"); });
        timer->timeout(root, milliseconds{100}, [&] { note("root"); });
        await(user->dispose());
        pass(100);

        CHECK(trace == Lines{"root"});
        CHECK(failure_of([&] {
                  timer->timeout(user->context(), milliseconds{1}, [] {});
              }) == "cannot create effect on inactive context");
    }

    TEST_CASE_FIXTURE(TimerFixture, "a callback that fails is logged under the caller's name") {
        timer->timeout(user->context(), milliseconds{1}, [] { throw std::runtime_error{"oops"}; });
        pass(1);

        CHECK(errors() == Lines{"user: oops"});
    }

    // TMR-3
    TEST_CASE_FIXTURE(TimerFixture, "without a callback it can be awaited") {
        const auto wait = start(timer->timeout(user->context(), milliseconds{100}));
        pass(99);
        CHECK_FALSE(wait->ended);

        pass(1);
        CHECK(wait->ended);
        CHECK(wait->failure == nullptr);
    }

    // TMR-3
    TEST_CASE_FIXTURE(TimerFixture, "an owner that goes first fails the wait") {
        const auto wait = start(timer->timeout(user->context(), milliseconds{100}));
        turn();
        await(user->dispose());

        REQUIRE(wait->ended);
        CHECK_THROWS_WITH_AS(
            std::rethrow_exception(wait->failure), "Context has been disposed", Error
        );
    }

    TEST_CASE_FIXTURE(TimerFixture, "a wait that is cancelled takes its effect along") {
        boost::asio::cancellation_signal cancel;
        std::exception_ptr failure;
        auto on_end = [&](const std::exception_ptr& thrown) {
            failure = thrown;
        };
        boost::asio::co_spawn(
            container.strand(),
            timer->timeout(user->context(), milliseconds{100}),
            boost::asio::bind_cancellation_slot(cancel.slot(), std::move(on_end))
        );
        turn();
        cancel.emit(boost::asio::cancellation_type::terminal);
        turn();

        REQUIRE(failure != nullptr);
        CHECK(is_cancellation(failure));
        CHECK(time->pending() == 0);
    }

    // A coroutine behind a timer would never run.
    static_assert(!TimerCallback<Task<> (*)()>);
}

TEST_SUITE("Timer::interval()") {
    // TMR-4
    TEST_CASE_FIXTURE(TimerFixture, "calls again and again until its effect ends") {
        const Effect effect =
            timer->interval(user->context(), milliseconds{100}, [&] { note("tick"); });
        CHECK(effect.label() == "ctx.interval()");
        pass(250);
        CHECK(take_trace() == Lines{"tick", "tick"});

        pass(50);
        CHECK(take_trace() == Lines{"tick"});

        effect.request_dispose();
        pass(1000);
        CHECK(trace.empty());
        CHECK(time->pending() == 0);
    }

    // TMR-4
    TEST_CASE_FIXTURE(TimerFixture, "may be ended by its own callback") {
        Effect effect;
        effect = timer->interval(user->context(), milliseconds{100}, [&] {
            note("tick");
            effect.request_dispose();
        });
        pass(1000);

        CHECK(trace == Lines{"tick"});
    }

    TEST_CASE_FIXTURE(TimerFixture, "late calls do not pile up, and keep the beat") {
        timer->interval(user->context(), milliseconds{100}, [&] { note("tick"); });
        time->fall_behind(milliseconds{350});
        pass(0);
        CHECK(take_trace() == Lines{"tick"});

        pass(49);
        CHECK(trace.empty());
        pass(1);
        CHECK(trace == Lines{"tick"});
    }

    TEST_CASE_FIXTURE(TimerFixture, "a callback that fails is logged and called again") {
        timer->interval(user->context(), milliseconds{1}, [] { throw std::runtime_error{"oops"}; });
        pass(2);

        CHECK(errors() == Lines{"user: oops", "user: oops"});
    }

    TEST_CASE_FIXTURE(TimerFixture, "no length is refused") {
        CHECK(code_of([&] { timer->interval(root, milliseconds{0}, [] {}); }) == "INVALID_PERIOD");
    }
}

TEST_SUITE("steady_time()") {
    TEST_CASE("an alarm of no delay rings on the strand, later, and a destroyed one never") {
        boost::asio::io_context io;
        const auto time = steady_time(io.get_executor());
        int rung = 0;
        const auto kept = time->set(time->now(), [&] { ++rung; });
        auto dropped = time->set(time->now(), [&] { rung += 10; });
        CHECK(rung == 0);

        dropped = nullptr;
        io.run();

        CHECK(rung == 1);
    }
}
