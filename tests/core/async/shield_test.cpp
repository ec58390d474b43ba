#include <cordon/async/shield.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/post.hpp>

#include <support/coroutine.hpp>

namespace {

namespace asio = boost::asio;

cordon::Task<> two_turns(bool& finished) {
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
    co_await asio::post(executor, asio::use_awaitable);
    finished = true;
}

cordon::Task<> shielded(bool& finished, bool& went_on) {
    co_await cordon::shield(two_turns(finished));
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    went_on = true;
}

}  // namespace

TEST_SUITE("shield") {
    CO_TEST_CASE("work under it ends although the caller is cancelled, the caller goes no further"
    ) {
        const auto executor = co_await asio::this_coro::executor;
        bool finished = false;
        bool went_on = false;
        cordon::TaskGroup tasks{executor, [](const std::string&, const std::exception_ptr&) {
                                }};
        tasks.spawn("shielded", shielded(finished, went_on));
        co_await asio::post(executor, asio::use_awaitable);

        co_await tasks.stop();

        CHECK(finished);
        CHECK_FALSE(went_on);
    }
}
