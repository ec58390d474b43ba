#include <cordon/async/completion.hpp>
#include <cordon/async/shield.hpp>
#include <cordon/async/start_all.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// What the pieces of work share, alive until the last of them has ended.
struct Progress {
    Progress(const asio::any_io_executor& executor, std::size_t size)
        : failures(size), signals(size), all_ended(executor) {}

    std::vector<std::exception_ptr> failures;
    /// Of what runs; null for what has ended.
    std::vector<std::shared_ptr<asio::cancellation_signal>> signals;
    std::size_t running = 0;
    Completion all_ended;
};

Task<> run(Starter starter) {
    Task<> work = starter();
    co_await std::move(work);
}

void start(
    const asio::any_io_executor& executor,
    const std::shared_ptr<Progress>& progress,
    std::size_t index,
    Starter starter
) {
    ++progress->running;
    progress->signals[index] = std::make_shared<asio::cancellation_signal>();
    auto on_end = [progress, index](const std::exception_ptr& thrown) {
        progress->failures[index] = thrown;
        progress->signals[index].reset();
        if (--progress->running == 0) {
            progress->all_ended.complete();
        }
    };
    asio::co_spawn(
        executor,
        run(std::move(starter)),
        asio::bind_cancellation_slot(progress->signals[index]->slot(), std::move(on_end))
    );
}

}  // namespace

Task<std::vector<std::exception_ptr>> start_all(std::vector<Starter> starters) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto progress = std::make_shared<Progress>(executor, starters.size());
    ++progress->running;  // ours, so that nothing completes before everything has begun
    for (std::size_t index = 0; index < starters.size(); ++index) {
        start(executor, progress, index, starters[index]);
    }
    if (--progress->running == 0) {
        progress->all_ended.complete();
    }

    std::exception_ptr cancelled;
    try {
        co_await progress->all_ended.wait();
    } catch (...) {
        cancelled = std::current_exception();
    }
    if (cancelled) {
        for (std::size_t index = 0; index < progress->signals.size(); ++index) {
            // A copy: what it ends lets go of it.
            const auto signal = progress->signals[index];
            if (signal) {
                signal->emit(asio::cancellation_type::terminal);
            }
        }
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await progress->all_ended.wait();
        std::rethrow_exception(cancelled);
    }
    co_return std::move(progress->failures);
}

}  // namespace cordon
