#include <cordon/async/single_flight.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <stdexcept>
#include <string>

#include <support/coroutine.hpp>

namespace {

namespace asio = boost::asio;

using cordon::Completion;
using cordon::SingleFlight;
using cordon::Task;
using cordon::TaskGroup;

/// Work that waits until it is let go.
struct Gated {
    explicit Gated(const asio::any_io_executor& strand) : gate(strand) {}

    Task<int> run() {
        ++started;
        co_await gate.wait();
        ++finished;
        co_return started;
    }

    Completion gate;
    int started = 0;
    int finished = 0;
};

Task<> join_into(SingleFlight<int>& flight, int& result) {
    result = co_await flight.join();
}

Task<> turn() {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

Task<int> fail() {
    co_await turn();
    throw std::runtime_error{"no luck"};
}

Task<> join_for_text(SingleFlight<int>& flight, std::string& text) {
    try {
        co_await flight.join();
    } catch (const std::runtime_error& error) {
        text = error.what();
    }
}

const TaskGroup::OnFailure kIgnore = [](const std::string&, const std::exception_ptr&) {
};

}  // namespace

TEST_SUITE("SingleFlight") {
    CO_TEST_CASE("callers at the same time share one run, a later one starts another") {
        const auto strand = co_await asio::this_coro::executor;
        Gated work{strand};
        SingleFlight<int> flight{strand, [&] {
                                     return work.run();
                                 }};
        TaskGroup callers{strand, kIgnore};
        int first = 0;
        int second = 0;
        callers.spawn("first", join_into(flight, first));
        callers.spawn("second", join_into(flight, second));
        co_await turn();
        work.gate.complete();
        co_await turn();
        co_await turn();

        const int third = co_await flight.join();

        CHECK(first == 1);
        CHECK(second == 1);
        CHECK(third == 2);
        co_await callers.stop();
        co_await flight.stop();
    }

    CO_TEST_CASE("a cancelled caller leaves at once and the work goes on for the other") {
        const auto strand = co_await asio::this_coro::executor;
        Gated work{strand};
        SingleFlight<int> flight{strand, [&] {
                                     return work.run();
                                 }};
        TaskGroup leaving{strand, kIgnore};
        TaskGroup staying{strand, kIgnore};
        int left = 0;
        int stayed = 0;
        leaving.spawn("leaving", join_into(flight, left));
        staying.spawn("staying", join_into(flight, stayed));
        co_await turn();

        co_await leaving.stop();
        CHECK(work.finished == 0);
        work.gate.complete();
        const int joined = co_await flight.join();

        CHECK(joined == 1);
        CHECK(left == 0);
        CHECK(work.started == 1);
        co_await staying.stop();
        co_await flight.stop();
    }

    CO_TEST_CASE(
        "with the last caller gone the work is cancelled and the next one starts anew (field-32)"
    ) {
        const auto strand = co_await asio::this_coro::executor;
        Gated work{strand};
        SingleFlight<int> flight{strand, [&] {
                                     return work.run();
                                 }};
        TaskGroup leaving{strand, kIgnore};
        int left = 0;
        leaving.spawn("leaving", join_into(flight, left));
        co_await turn();
        co_await leaving.stop();

        work.gate.complete();
        const int joined = co_await flight.join();

        CHECK(joined == 2);
        CHECK(work.finished == 1);
        co_await flight.stop();
    }

    CO_TEST_CASE("everybody gets the error, and it is not remembered") {
        const auto strand = co_await asio::this_coro::executor;
        SingleFlight<int> flight{strand, fail};
        TaskGroup callers{strand, kIgnore};
        std::string first;
        std::string second;
        callers.spawn("first", join_for_text(flight, first));
        co_await join_for_text(flight, second);
        co_await turn();

        CHECK(first == "no luck");
        CHECK(second == "no luck");
        co_await callers.stop();
        co_await flight.stop();
    }

    CO_TEST_CASE("stop ends work that would never end by itself") {
        const auto strand = co_await asio::this_coro::executor;
        Gated work{strand};
        SingleFlight<int> flight{strand, [&] {
                                     return work.run();
                                 }};
        TaskGroup callers{strand, kIgnore};
        int result = 0;
        callers.spawn("caller", join_into(flight, result));
        co_await turn();

        co_await flight.stop();

        CHECK(work.started == 1);
        CHECK(work.finished == 0);
        co_await callers.stop();
    }
}
