#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/context/effect.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace cordon {

class FiberImpl;

/// What taking back a registration consists of.
struct EffectPlan {
    std::string label;
    /// The part that happens at once when the disposal begins. Null where there is none.
    std::function<void()> begin;
    /// The part that is waited for. Null where there is none.
    Undo finish;
    /// Whether `finish` would wait for `caller`; null: never (spec DIF-6).
    std::function<bool(const FiberImpl& caller)> waits_for;
    /// Services go before everything else (spec DIF-3).
    bool is_service = false;
};

/// One registration of a fiber, and the one disposal of it that everybody joins.
struct Effect::State : std::enable_shared_from_this<Effect::State> {
    enum class Phase { active, running, done };

    State(const std::shared_ptr<FiberImpl>& fiber, EffectPlan what);

    /// Begins the disposal, if nobody has yet.
    void start();

    /// Waits for the end, which it has to be told of first: failures nobody waits for are logged.
    [[nodiscard]] static Task<> join(std::shared_ptr<State> self);

    std::weak_ptr<FiberImpl> owner;
    EffectPlan plan;
    Phase phase = Phase::active;
    /// What the undo threw.
    std::exception_ptr failure;
    /// Its place in the owner's list while not done.
    std::list<std::shared_ptr<State>>::iterator position;

private:
    static Task<> undo(std::shared_ptr<State> self);
    void end(const std::exception_ptr& thrown);

    Completion ended_;
    std::size_t waiters_ = 0;
};

}  // namespace cordon
