#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>

#include <functional>
#include <memory>
#include <string>

namespace cordon {

/// Takes back what a registration did. Awaited to its end before the next undo starts (spec DIF-3).
using Undo = std::function<Task<>()>;

/// A registration that can be taken back: by `dispose()`, or by the unload of the fiber that owns
/// it, whichever comes first, exactly once (spec EFF-3). Copies are the same effect. Letting go of
/// it changes nothing: its fiber keeps it.
class CORDON_API Effect {
public:
    struct State;

    Effect() = default;
    explicit Effect(std::shared_ptr<State> state);

    /// Joins a disposal already under way (spec DIF-2).
    ///
    /// Errors: what the undo threw, to every caller; the owning fiber's unload logs and goes on.
    /// Code `DEADLOCK` at once where the undo waits for the caller, as from inside it (spec DIF-6).
    /// Cancellation: ends the wait only.
    [[nodiscard]] Task<> dispose() const;
    /// The form that does not wait; a failure is logged. Whether the registration was still there
    /// (spec EVT-7).
    bool request_dispose() const;

    /// True until disposal has begun.
    [[nodiscard]] bool is_active() const noexcept;

    [[nodiscard]] const std::string& label() const noexcept;

private:
    std::shared_ptr<State> state_;
};

}  // namespace cordon
