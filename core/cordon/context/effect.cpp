#include "container_core.hpp"
#include "effect_state.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/effect.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// Counts somebody who waits, also when the wait is cancelled.
class Waiting {
public:
    explicit Waiting(std::size_t& waiters) : waiters_(waiters) { ++waiters_; }

    ~Waiting() { --waiters_; }

    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    std::size_t& waiters_;
};

void refuse_deadlock(const Effect::State& effect, const asio::any_io_executor& executor) {
    const auto caller = fiber_of(executor);
    const bool from_own_undo = effect_of(executor).get() == &effect;
    if (from_own_undo || (caller && effect.plan.waits_for && effect.plan.waits_for(*caller))) {
        throw_deadlock(
            fmt::format("the disposal of '{}'", effect.plan.label), "Use request_dispose()"
        );
    }
}

Task<> dispose_effect(std::shared_ptr<Effect::State> effect) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    if (effect->phase != Effect::State::Phase::done) {
        refuse_deadlock(*effect, executor);
    }
    co_await Effect::State::join(effect);
    if (effect->failure) {
        std::rethrow_exception(effect->failure);
    }
}

Task<> nothing() {
    co_return;
}

}  // namespace

Effect::State::State(const std::shared_ptr<FiberImpl>& fiber, EffectPlan what)
    : owner(fiber), plan(std::move(what)), ended_(fiber->core().strand) {}

void Effect::State::start() {
    if (phase != Phase::active) {
        return;
    }
    phase = Phase::running;
    const auto fiber = owner.lock();
    if (!fiber) {
        end(nullptr);
        return;
    }
    const auto self = shared_from_this();
    if (const auto begin = std::exchange(plan.begin, nullptr)) {
        begin();
    }
    if (!plan.finish) {
        end(nullptr);
        return;
    }
    const auto on_end = [self](const std::exception_ptr& thrown) {
        self->end(thrown);
    };
    asio::co_spawn(fiber->executor(self), undo(self), on_end);
}

Task<> Effect::State::join(std::shared_ptr<State> self) {
    const Waiting waiting{self->waiters_};
    self->start();
    co_await self->ended_.wait();
}

Task<> Effect::State::undo(std::shared_ptr<State> self) {
    // Both live until the coroutine has ended: it may refer to what the function captured.
    const Undo finish = std::exchange(self->plan.finish, nullptr);
    Task<> running = finish();
    co_await std::move(running);
}

void Effect::State::end(const std::exception_ptr& thrown) {
    phase = Phase::done;
    plan.waits_for = nullptr;
    if (thrown) {
        failure = as_error(thrown);
    }
    if (const auto fiber = owner.lock()) {
        if (failure && waiters_ == 0) {
            fiber->log(
                LogLevel::error,
                fmt::format("the undo of '{}' failed: {}", plan.label, message_of(failure))
            );
        }
        fiber->effects().erase(position);
    }
    ended_.complete();
}

Effect::Effect(std::shared_ptr<State> state) : state_(std::move(state)) {}

Task<> Effect::dispose() const {
    return state_ ? dispose_effect(state_) : nothing();
}

bool Effect::request_dispose() const {
    const bool was_active = is_active();
    if (state_) {
        state_->start();
    }
    return was_active;
}

bool Effect::is_active() const noexcept {
    return state_ && state_->phase == State::Phase::active;
}

const std::string& Effect::label() const noexcept {
    static const std::string kNone;
    return state_ ? state_->plan.label : kNone;
}

}  // namespace cordon
