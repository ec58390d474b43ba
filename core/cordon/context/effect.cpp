#include "effect_state.hpp"
#include "fiber_executor.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/effect.hpp>

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

/// Whether the undo of it, or of one that it has taken in, waits for `caller`.
bool waits_for(const Effect::State& effect, const FiberImpl& caller) {
    if (effect.waits_for && effect.waits_for(caller)) {
        return true;
    }
    const auto children = effect.children();
    return std::any_of(children.begin(), children.end(), [&](const auto& child) {
        return waits_for(*child, caller);
    });
}

void refuse_deadlock(
    const Effect::State& effect, const asio::any_io_executor& executor, const char* what
) {
    const auto caller = fiber_of(executor);
    const auto within = effect_of(executor);
    const bool is_inside = within && within->is_within(effect);
    if (is_inside || (caller && waits_for(effect, *caller))) {
        throw_deadlock(fmt::format("the {} of '{}'", what, effect.label), "Use request_dispose()");
    }
}

Task<> dispose_effect(std::shared_ptr<Effect::State> effect) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    if (effect->phase != Effect::State::Phase::done) {
        refuse_deadlock(*effect, executor, "disposal");
    }
    co_await Effect::State::join(effect);
    if (effect->failure) {
        std::rethrow_exception(effect->failure);
    }
}

Task<> await_ready(std::shared_ptr<Effect::State> effect) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const auto within = effect_of(executor);
    if (effect->is_setting_up() && within && within->is_within(*effect)) {
        throw_deadlock(fmt::format("the set-up of '{}'", effect->label), "Return from it instead");
    }
    co_await Effect::State::ready(effect);
}

Task<> nothing() {
    co_return;
}

Task<> run_at_once(const Undo* undo) {
    undo->run();
    co_return;
}

}  // namespace

Task<> Undo::operator()() const {
    if (const auto* function = std::get_if<std::function<Task<>()>>(&function_)) {
        return (*function)();
    }
    return is_immediate() ? run_at_once(this) : nothing();
}

Effect::Effect(std::shared_ptr<State> state) : state_(std::move(state)) {}

Task<> Effect::ready() const {
    return state_ ? await_ready(state_) : nothing();
}

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
    return state_ ? state_->label : kNone;
}

}  // namespace cordon
