#include "ticks_state.hpp"

#include <cordon/base/error.hpp>

namespace cordon {

namespace {

/// True while it lives.
class Flag {
public:
    explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }

    ~Flag() { flag_ = false; }

    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

private:
    bool& flag_;
};

}  // namespace

Task<bool> Ticks::State::next(std::shared_ptr<State> self) {
    if (self->is_awaited) {
        throw Error{
            "a tick is awaited already. Give every waiter an interval of its own.", "TICKS_BUSY"};
    }
    const Flag awaited{self->is_awaited};
    while (!self->has_tick && !self->is_ended) {
        self->changed = Completion{self->owner.executor()};
        const Completion changed = self->changed;
        co_await changed.wait();
    }
    if (self->failure) {
        std::rethrow_exception(self->failure);
    }
    self->has_tick = false;
    co_return !self->is_ended;
}

Ticks::Ticks(std::shared_ptr<State> state) : state_(std::move(state)) {}

Ticks::~Ticks() {
    stop();
}

Ticks::Ticks(Ticks&& other) noexcept = default;

Ticks& Ticks::operator=(Ticks&& other) noexcept {
    if (this != &other) {
        stop();
        state_ = std::move(other.state_);
    }
    return *this;
}

Task<bool> Ticks::next() {
    return State::next(state_);
}

void Ticks::stop() {
    if (state_) {
        state_->end(nullptr);
    }
}

void Ticks::fail(const std::exception_ptr& failure) {
    state_->end(failure);
}

}  // namespace cordon
