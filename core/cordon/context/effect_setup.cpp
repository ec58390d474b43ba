#include "container_core.hpp"
#include "effect_state.hpp"
#include "fiber_impl.hpp"

#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

[[noreturn]] void throw_aborted() {
    throw boost::system::system_error{asio::error::operation_aborted};
}

}  // namespace

void EffectSetup::add(Undo undo) {
    effect_.add_step(std::move(undo));
}

void EffectSetup::add(const Effect& inner) {
    if (inner.state()) {
        effect_.adopt(inner.state());
    }
}

Effect EffectSetup::effect(std::string label, Undo undo) {
    const auto fiber = effect_.owner.lock();
    if (!fiber->is_open()) {
        // What it takes back has been done, so it is kept as a step.
        add(std::move(undo));
        throw_aborted();
    }
    EffectPlan plan;
    plan.label = std::move(label);
    plan.finish = std::move(undo);
    const Effect inner{fiber->add_effect(std::move(plan))};
    add(inner);
    return inner;
}

Effect::State::SetUp& Effect::State::enter_set_up() {
    set_up_ = std::make_unique<SetUp>(SetUp{
        true, nullptr, nullptr, Completion{owner.lock()->core().strand}});
    return *set_up_;
}

void Effect::State::set_up(const std::function<void(EffectSetup&)>& setup) {
    enter_set_up();
    std::exception_ptr thrown;
    try {
        EffectSetup steps{*this};
        setup(steps);
    } catch (...) {
        thrown = as_error(std::current_exception());
    }
    end_set_up(thrown);
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

void Effect::State::begin_set_up(std::function<Task<>(EffectSetup&)> setup) {
    const auto cancel = std::make_shared<asio::cancellation_signal>();
    enter_set_up().cancel = cancel;
    auto on_end = [self = shared_from_this()](const std::exception_ptr& thrown) {
        self->set_up_->cancel.reset();
        const auto fiber = self->owner.lock();
        const bool is_ending = self->phase != Phase::active || (fiber && !fiber->is_open());
        const bool is_cancelled = thrown && is_ending && is_cancellation(thrown);
        if (thrown && !is_cancelled && fiber) {
            fiber->fail_effect(
                fmt::format("effect '{}' failed: {}", self->label, message_of(thrown))
            );
        }
        self->end_set_up(thrown);
    };
    const auto fiber = owner.lock();
    asio::co_spawn(
        fiber->executor(shared_from_this()),
        run_set_up(shared_from_this(), std::move(setup)),
        asio::bind_cancellation_slot(cancel->slot(), std::move(on_end))
    );
}

Task<> Effect::State::run_set_up(
    std::shared_ptr<State> self, std::function<Task<>(EffectSetup&)> setup
) {
    EffectSetup steps{*self};
    std::exception_ptr thrown;
    try {
        Task<> running = setup(steps);
        co_await std::move(running);
    } catch (...) {
        thrown = std::current_exception();
    }
    // co_spawn awaits once more behind a coroutine that never waited. Where the set-up has disposed
    // of its own effect, that would throw into the loop.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

void Effect::State::end_set_up(const std::exception_ptr& thrown) {
    const auto self = shared_from_this();
    set_up_->is_running = false;
    // A cancellation stays one for those who wait.
    set_up_->failure = thrown && !is_cancellation(thrown) ? as_error(thrown) : thrown;
    set_up_->ended.complete();
    if (phase == Phase::running) {
        undo_steps();
    } else if (thrown) {
        start();
    }
}

Task<> Effect::State::ready(std::shared_ptr<State> self) {
    if (!self->set_up_) {
        co_return;
    }
    co_await self->set_up_->ended.wait();
    if (self->set_up_->failure) {
        std::rethrow_exception(self->set_up_->failure);
    }
}

void Effect::State::add_step(Undo undo) {
    if (undo) {
        steps_.emplace_back(std::move(undo));
    }
    if (phase != Phase::active) {
        throw_aborted();
    }
}

void Effect::State::adopt(const std::shared_ptr<State>& inner) {
    const auto fiber = owner.lock();
    if (inner->owner.lock() != fiber || is_within(*inner)) {
        throw Error{
            fmt::format(
                "effect '{}' cannot take in '{}', which is not another effect of its fiber",
                label,
                inner->label
            ),
            "FOREIGN_EFFECT"};
    }
    if (inner->phase != Phase::done && inner->enclosing.expired()) {
        fiber->effects().erase(inner->position);
        inner->enclosing = weak_from_this();
        steps_.emplace_back(inner);
    }
    if (phase != Phase::active) {
        throw_aborted();
    }
}

}  // namespace cordon
