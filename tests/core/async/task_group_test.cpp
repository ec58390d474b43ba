#include <cordon/async/task_group.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <support/coroutine.hpp>

namespace {

namespace asio = boost::asio;

cordon::Task<> wait_forever() {
    asio::steady_timer timer{
        co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    co_await timer.async_wait(asio::use_awaitable);
}

cordon::Task<> fail() {
    throw std::runtime_error{"broken"};
    co_return;
}

}  // namespace

TEST_SUITE("TaskGroup") {
    CO_TEST_CASE("stop() ends tasks that would never end by themselves") {
        std::vector<std::string> failed;
        cordon::TaskGroup tasks{
            co_await asio::this_coro::executor,
            [&](const std::string& name, const std::exception_ptr&) {
                failed.push_back(name);
            }};
        tasks.spawn("first", wait_forever());
        tasks.spawn("second", wait_forever());
        CHECK(tasks.size() == 2);

        co_await tasks.stop();
        co_await tasks.stop();

        CHECK(tasks.size() == 0);
        CHECK(failed.empty());
    }

    CO_TEST_CASE("a task that fails is reported by name, once") {
        std::vector<std::string> failed;
        cordon::TaskGroup tasks{
            co_await asio::this_coro::executor,
            [&](const std::string& name, const std::exception_ptr&) {
                failed.push_back(name);
            }};
        tasks.spawn("broken", fail());
        tasks.spawn("patient", wait_forever());

        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        co_await tasks.stop();

        CHECK(failed == std::vector<std::string>{"broken"});
    }
}
