#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cordon {

class Undo;

/// A function without arguments.
template <typename Function>
concept UndoFunction =
    std::invocable<Function&> && !std::same_as<std::remove_cvref_t<Function>, Undo>;

/// Takes back what a registration did: a function that does it at once, or one whose `Task<>` is
/// awaited to its end before the next undo starts (spec DIF-3). Null: there is nothing to undo.
class CORDON_API Undo {
public:
    Undo() = default;

    Undo(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

    template <UndoFunction Function>
    Undo(Function function) {  // NOLINT(google-explicit-constructor)
        using Result = std::invoke_result_t<Function&>;
        static_assert(
            std::is_void_v<Result> || std::is_same_v<Result, Task<>>,
            "an undo returns nothing or a Task<> (spec EFF-2)"
        );
        if constexpr (std::is_void_v<Result>) {
            function_ = std::function<void()>{std::move(function)};
        } else {
            function_ = std::function<Task<>()>{std::move(function)};
        }
    }

    [[nodiscard]] explicit operator bool() const noexcept { return function_.index() != 0; }

    /// Whether it is done when the call returns.
    [[nodiscard]] bool is_immediate() const noexcept { return function_.index() == 1; }

    /// Precondition: `is_immediate()`.
    void run() const { std::get<1>(function_)(); }

    /// For both kinds. The result must not outlive this.
    [[nodiscard]] Task<> operator()() const;

private:
    std::variant<std::monostate, std::function<void()>, std::function<Task<>()>> function_;
};

/// A registration that can be taken back: by `dispose()`, or by the unload of the fiber that owns
/// it, whichever comes first, exactly once (spec EFF-3). Copies are the same effect. Letting go of
/// it changes nothing: its fiber keeps it.
class CORDON_API Effect {
public:
    struct State;

    Effect() = default;
    explicit Effect(std::shared_ptr<State> state);

    /// Waits for the end of an asynchronous set-up.
    ///
    /// Errors: what the set-up threw (spec EFF-10).
    [[nodiscard]] Task<> ready() const;

    /// Stops a set-up that runs, and undoes what it has done so far, last in, first out, each undo
    /// after the one before has ended (spec EFF-4, EFF-8). Joins a disposal already under way (spec
    /// DIF-2).
    ///
    /// Errors: what the undo threw, to every caller, or an `AggregateError` of several: all of them
    /// are tried (spec DIF-4). The owning fiber's unload logs and goes on. Code `DEADLOCK` at once
    /// where the undo waits for the caller, as from inside it (spec DIF-6).
    /// Cancellation: ends the wait only.
    [[nodiscard]] Task<> dispose() const;
    /// The form that does not wait, although it is done when it returns where all undos are
    /// immediate ones (spec EFF-5). A failure is logged. Whether the registration was still there
    /// (spec EVT-7).
    bool request_dispose() const;

    /// True until disposal has begun.
    [[nodiscard]] bool is_active() const noexcept;

    [[nodiscard]] const std::string& label() const noexcept;

    [[nodiscard]] const std::shared_ptr<State>& state() const noexcept { return state_; }

private:
    std::shared_ptr<State> state_;
};

/// What the set-up of an effect tells about what it does, one step after the other.
///
/// Lifetime: for the duration of the set-up.
class CORDON_API EffectSetup {
public:
    explicit EffectSetup(Effect::State& effect) : effect_(effect) {}

    EffectSetup(const EffectSetup&) = delete;
    EffectSetup& operator=(const EffectSetup&) = delete;

    /// A step has been taken, and `undo` takes it back. Where the effect is being disposed of
    /// already, the undo is kept all the same and no further step is taken (spec EFF-9): throws
    /// `operation_aborted`, as everything does that waits in a cancelled coroutine.
    void add(Undo undo);

    /// Takes in another effect of the same fiber: undone in its place among the steps, it leaves
    /// the list of the fiber and becomes a child of this one in diagnostics (spec EFF-17). One that
    /// has been disposed of by then is skipped (spec EFF-18).
    ///
    /// Errors: code `FOREIGN_EFFECT` for one of another fiber.
    void add(const Effect& inner);

    /// The same for an effect that is made on the spot.
    Effect effect(std::string label, Undo undo);

private:
    Effect::State& effect_;
};

/// The set-up of an effect that does it at once, and the one that has to wait meanwhile.
template <typename Function>
concept ImmediateSetup = std::invocable<Function&, EffectSetup&> &&
    std::is_void_v<std::invoke_result_t<Function&, EffectSetup&>>;
template <typename Function>
concept AwaitedSetup = std::invocable<Function&, EffectSetup&> &&
    std::same_as<std::invoke_result_t<Function&, EffectSetup&>, Task<>>;

/// A live effect with those that it has taken in (spec EFF-19).
struct EffectInfo {
    std::string label;
    std::vector<EffectInfo> children;

    friend bool operator==(const EffectInfo&, const EffectInfo&) = default;
};

}  // namespace cordon
