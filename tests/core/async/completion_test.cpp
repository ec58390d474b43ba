#include <cordon/async/completion.hpp>
#include <cordon/async/task_group.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <vector>

#include <support/coroutine.hpp>

namespace {

cordon::Task<> note_after(cordon::Completion completion, std::vector<int>& order, int number) {
    co_await completion.wait();
    order.push_back(number);
}

cordon::Task<> complete_it(cordon::Completion completion) {
    completion.complete();
    co_return;
}

void ignore_failure(const std::string& /*task*/, const std::exception_ptr& /*failure*/) {}

}  // namespace

TEST_SUITE("Completion") {
    CO_TEST_CASE("every waiter is woken, and later ones do not wait") {
        const auto executor = co_await boost::asio::this_coro::executor;
        const cordon::Completion completion{executor};
        std::vector<int> order;
        cordon::TaskGroup tasks{executor, ignore_failure};
        tasks.spawn("first", note_after(completion, order, 1));
        tasks.spawn("second", note_after(completion, order, 2));
        tasks.spawn("completer", complete_it(completion));

        co_await completion.wait();
        co_await boost::asio::post(executor, boost::asio::use_awaitable);
        co_await note_after(completion, order, 3);
        CHECK(order == std::vector<int>{1, 2, 3});
        co_await tasks.stop();
    }

    CO_TEST_CASE("cancelling one waiter does not complete it for the others") {
        const auto executor = co_await boost::asio::this_coro::executor;
        const cordon::Completion completion{executor};
        std::vector<int> order;
        {
            cordon::TaskGroup cancelled{executor, ignore_failure};
            cancelled.spawn("waiter", note_after(completion, order, 1));
            co_await cancelled.stop();
        }
        CHECK(order.empty());
        CHECK_FALSE(completion.is_complete());
    }
}
