#include <cordon/async/timeout.hpp>

#include <chrono>
#include <stdexcept>

#include <support/coroutine.hpp>

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

cordon::Task<int> answer() {
    co_return 42;
}

cordon::Task<int> fail() {
    throw std::runtime_error{"broken"};
    co_return 0;
}

cordon::Task<int> never(bool& cancelled) {
    asio::steady_timer timer{
        co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    try {
        co_await timer.async_wait(asio::use_awaitable);
    } catch (const boost::system::system_error&) {
        cancelled = true;
        throw;
    }
    co_return 0;
}

}  // namespace

TEST_SUITE("with_timeout") {
    CO_TEST_CASE("gives the result of work that ends in time") {
        const auto result = co_await cordon::with_timeout(answer(), 1h);
        CHECK(result == 42);
    }

    CO_TEST_CASE("a failure of the work is not mistaken for a timeout, nor waited out") {
        bool caught = false;
        try {
            const auto result = co_await cordon::with_timeout(fail(), 1h);
            CHECK(result.has_value());
        } catch (const std::runtime_error&) {
            caught = true;
        }
        CHECK(caught);
    }

    CO_TEST_CASE("work that takes too long has been cancelled when it returns") {
        bool cancelled = false;
        const auto result = co_await cordon::with_timeout(never(cancelled), 1ms);
        CHECK_FALSE(result.has_value());
        CHECK(cancelled);
    }
}
