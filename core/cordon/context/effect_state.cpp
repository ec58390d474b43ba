#include "effect_state.hpp"

#include "container_core.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/aggregate_error.hpp>
#include <cordon/base/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
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

}  // namespace

Effect::State::State(const std::shared_ptr<FiberImpl>& fiber, EffectPlan what)
    : owner(fiber),
      label(std::move(what.label)),
      waits_for(std::move(what.waits_for)),
      is_service(what.is_service),
      ended_(fiber->core().strand) {
    if (what.finish) {
        steps_.emplace_back(std::move(what.finish));
    }
    if (what.begin) {
        steps_.emplace_back(Undo{std::move(what.begin)});
    }
}

void Effect::State::start() {
    if (phase != Phase::active) {
        return;
    }
    phase = Phase::running;
    const auto fiber = owner.lock();
    if (!is_setting_up()) {
        undo_steps();
    } else if (set_up_->cancel && fiber) {
        // As for the body of a fiber: the signal must arrive at once.
        asio::dispatch(fiber->core().strand, [cancel = set_up_->cancel] {
            cancel->emit(asio::cancellation_type::terminal);
        });
    }
}

Task<> Effect::State::join(std::shared_ptr<State> self) {
    const Waiting waiting{self->waiters_};
    self->start();
    co_await self->ended_.wait();
}

void Effect::State::undo_steps() {
    const auto self = shared_from_this();
    undoing_ = nullptr;
    if (owner.expired()) {
        steps_.clear();
    }
    while (!steps_.empty()) {
        const Step step = std::move(steps_.back());
        steps_.pop_back();
        if (!undo(step)) {
            return;
        }
    }
    end();
}

bool Effect::State::undo(const Step& step) {
    if (const auto* inner = std::get_if<std::shared_ptr<State>>(&step)) {
        const Waiting waiting{(*inner)->waiters_};
        (*inner)->is_taken_off_ = true;
        (*inner)->start();
        if ((*inner)->phase != Phase::done) {
            undoing_ = *inner;
            await_undo(join_inner(*inner));
            return false;
        }
        note((*inner)->failure);
        return true;
    }
    const Undo& undo = std::get<Undo>(step);
    if (!undo.is_immediate()) {
        await_undo(run(undo));
        return false;
    }
    try {
        undo.run();
    } catch (...) {
        note(std::current_exception());
    }
    return true;
}

void Effect::State::await_undo(Task<> running) {
    auto on_end = [self = shared_from_this()](const std::exception_ptr& thrown) {
        self->note(thrown);
        self->undo_steps();
    };
    asio::co_spawn(
        owner.lock()->executor(shared_from_this()), std::move(running), std::move(on_end)
    );
}

// The function lives until the coroutine has ended: it may refer to what was captured.
Task<> Effect::State::run(Undo undo) {
    Task<> running = undo();
    co_await std::move(running);
}

Task<> Effect::State::join_inner(std::shared_ptr<State> inner) {
    co_await join(inner);
    if (inner->failure) {
        std::rethrow_exception(inner->failure);
    }
}

void Effect::State::note(const std::exception_ptr& thrown) {
    if (thrown) {
        failures_.push_back(as_error(thrown));
    }
}

void Effect::State::end() {
    phase = Phase::done;
    waits_for = nullptr;
    if (failures_.size() == 1) {
        failure = failures_.front();
    } else if (!failures_.empty()) {
        failure = std::make_exception_ptr(AggregateError{
            fmt::format("the undos of '{}'", label), failures_});
    }
    if (const auto fiber = owner.lock()) {
        if (failure && waiters_ == 0) {
            fiber->log(
                LogLevel::error,
                fmt::format("the undo of '{}' failed: {}", label, message_of(failure))
            );
        }
        leave();
    }
    ended_.complete();
}

void Effect::State::disown() {
    owner.reset();
    for (const auto& child : children()) {
        child->disown();
    }
}

void Effect::State::leave() {
    if (is_taken_off_) {
        return;
    }
    const auto self = shared_from_this();
    if (const auto outer = enclosing.lock()) {
        std::erase_if(outer->steps_, [&](const Step& step) {
            const auto* inner = std::get_if<std::shared_ptr<State>>(&step);
            return inner != nullptr && *inner == self;
        });
    } else if (const auto fiber = owner.lock()) {
        fiber->effects().erase(position);
    }
}

std::vector<std::shared_ptr<Effect::State>> Effect::State::children() const {
    std::vector<std::shared_ptr<State>> children;
    for (const Step& step : steps_) {
        if (const auto* inner = std::get_if<std::shared_ptr<State>>(&step)) {
            children.push_back(*inner);
        }
    }
    if (undoing_ && undoing_->phase != Phase::done) {
        children.push_back(undoing_);
    }
    return children;
}

EffectInfo Effect::State::info() const {
    EffectInfo info{label, {}};
    for (const auto& child : children()) {
        info.children.push_back(child->info());
    }
    return info;
}

bool Effect::State::is_within(const State& other) const {
    if (this == &other) {
        return true;
    }
    const auto outer = enclosing.lock();
    return outer && outer->is_within(other);
}

}  // namespace cordon
