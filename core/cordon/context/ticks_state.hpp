#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/effect.hpp>
#include <cordon/context/ticks.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace cordon {

struct Ticks::State {
    explicit State(Context context) : owner(std::move(context)), changed(owner.executor()) {}

    void tick() {
        has_tick = true;
        changed.complete();
    }

    /// The first end counts.
    void end(const std::exception_ptr& thrown) {
        if (!is_ended) {
            is_ended = true;
            failure = thrown;
            effect.request_dispose();
            changed.complete();
        }
    }

    static Task<bool> next(std::shared_ptr<State> self);

    Context owner;
    Effect effect;
    bool has_tick = false;
    bool is_awaited = false;
    bool is_ended = false;
    std::exception_ptr failure;
    Completion changed;
};

}  // namespace cordon
