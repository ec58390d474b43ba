#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/context/effect.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace cordon {

class FiberImpl;

/// What taking back a registration consists of.
struct EffectPlan {
    std::string label;
    /// The part that happens at once when the disposal begins. Null where there is none.
    std::function<void()> begin = nullptr;
    /// The part that is waited for. Null where there is none.
    Undo finish = nullptr;
    /// Whether `finish` would wait for `caller`; null: never (spec DIF-6).
    std::function<bool(const FiberImpl& caller)> waits_for = nullptr;
    /// Services go before everything else (spec DIF-3).
    bool is_service = false;
};

/// One registration of a fiber, and the one disposal of it that everybody joins. In effect.cpp what
/// plugins see of it, in effect_setup.cpp how it comes about, in effect_state.cpp how it ends.
struct Effect::State : std::enable_shared_from_this<Effect::State> {
    enum class Phase { active, running, done };

    State(const std::shared_ptr<FiberImpl>& fiber, EffectPlan what);

    /// Begins the disposal, if nobody has yet.
    void start();

    /// Waits for the end, which it has to be told of first: failures nobody waits for are logged.
    [[nodiscard]] static Task<> join(std::shared_ptr<State> self);

    /// Runs a set-up to its end.
    ///
    /// Errors: what it throws, after what it had done has begun to be undone (spec EFF-11).
    void set_up(const std::function<void(EffectSetup&)>& setup);
    /// Begins one that goes on by itself. What it throws is logged once, and fails the fiber where
    /// that is loading (spec DIF-19).
    void begin_set_up(std::function<Task<>(EffectSetup&)> setup);
    [[nodiscard]] static Task<> ready(std::shared_ptr<State> self);

    [[nodiscard]] bool is_setting_up() const { return set_up_ && set_up_->is_running; }

    void add_step(Undo undo);
    void adopt(const std::shared_ptr<State>& inner);

    /// The effects that it has taken in and that are not done, in the order in which it did.
    [[nodiscard]] std::vector<std::shared_ptr<State>> children() const;
    [[nodiscard]] EffectInfo info() const;

    /// For the end of the container: neither it nor what it has taken in is undone any more.
    void disown();

    /// Whether `other` is this one or contains it.
    [[nodiscard]] bool is_within(const State& other) const;

    std::weak_ptr<FiberImpl> owner;
    std::string label;
    std::function<bool(const FiberImpl& caller)> waits_for;
    bool is_service;
    Phase phase = Phase::active;
    /// What the undos threw.
    std::exception_ptr failure;
    /// What has taken it in; expired where its fiber has it.
    std::weak_ptr<State> enclosing;
    /// Its place in the owner's list while not done and not taken in.
    std::list<std::shared_ptr<State>>::iterator position;

private:
    using Step = std::variant<Undo, std::shared_ptr<State>>;

    struct SetUp {
        bool is_running = true;
        std::exception_ptr failure = nullptr;
        /// Null for one that is not waited for.
        std::shared_ptr<boost::asio::cancellation_signal> cancel = nullptr;
        Completion ended;
    };

    SetUp& enter_set_up();
    static Task<> run(Undo undo);
    static Task<> join_inner(std::shared_ptr<State> inner);
    static Task<> run_set_up(
        std::shared_ptr<State> self, std::function<Task<>(EffectSetup&)> setup
    );

    void undo_steps();
    /// Whether it has ended already.
    bool undo(const Step& step);
    void await_undo(Task<> running);
    void note(const std::exception_ptr& thrown);
    void end_set_up(const std::exception_ptr& thrown);
    void end();
    void leave();

    /// In the order in which they were taken.
    std::vector<Step> steps_;
    /// The one taken in whose end it waits for.
    std::shared_ptr<State> undoing_;
    /// The one that has taken it in undoes it, and lists it among its steps no more.
    bool is_taken_off_ = false;
    std::vector<std::exception_ptr> failures_;
    Completion ended_;
    std::size_t waiters_ = 0;

    /// Null where nothing had to be set up.
    std::unique_ptr<SetUp> set_up_;
};

}  // namespace cordon
