#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/context.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// Background work, from its start to its end.
struct Job {
    explicit Job(const asio::any_io_executor& strand) : ended(strand) {}

    asio::cancellation_signal cancel;
    Completion ended;
};

Task<> end_of(std::shared_ptr<Job> job) {
    co_await job->ended.wait();
}

EffectPlan plan_of_job(
    std::string label, const std::shared_ptr<Job>& job, const asio::any_io_executor& strand
) {
    EffectPlan plan;
    plan.label = std::move(label);
    plan.begin = [job, strand] {
        // On the strand, so that the signal arrives at once: Asio keeps only a pointer to it.
        asio::dispatch(strand, [job] {
            if (!job->ended.is_complete()) {
                job->cancel.emit(asio::cancellation_type::terminal);
            }
        });
    };
    plan.finish = [job] {
        return end_of(job);
    };
    return plan;
}

/// co_spawn awaits once more behind a coroutine that never waited. Where the work has ended its own
/// effect, that would throw into the loop.
Task<> run_job(Task<> work) {
    std::exception_ptr thrown;
    try {
        co_await std::move(work);
    } catch (...) {
        thrown = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

}  // namespace

Effect Context::spawn(std::string label, Task<> work) const {
    const std::shared_ptr<FiberImpl> fiber = node_->fiber;
    fiber->require_open();
    const auto job = std::make_shared<Job>(fiber->core().strand);
    const auto effect = fiber->add_effect(plan_of_job(std::move(label), job, fiber->core().strand));
    auto on_end = [fiber, job, effect](const std::exception_ptr& thrown) {
        job->ended.complete();
        if (thrown && !is_cancellation(thrown)) {
            fiber->log(
                LogLevel::error,
                fmt::format("background work '{}' failed: {}", effect->label, message_of(thrown))
            );
        }
        effect->start();
    };
    asio::co_spawn(
        fiber->executor(effect),
        run_job(std::move(work)),
        asio::bind_cancellation_slot(job->cancel.slot(), std::move(on_end))
    );
    return Effect{effect};
}

}  // namespace cordon
