#pragma once

#include "outcome.hpp"

namespace cordon::launch {

/// The descriptor on which the spawner learns how far the launcher came, in the format that
/// `cordon::parse_runner_report` reads. It closes by itself when the command is executed.
class Status {
public:
    /// `fd` below 0: nobody listens.
    explicit Status(int fd) noexcept : fd_(fd) {}

    /// Makes the descriptor close on exec, so that the command never holds it. Step `status`.
    [[nodiscard]] Outcome prepare() const;

    [[nodiscard]] int fd() const noexcept { return fd_; }

    /// Says that every restriction is in force. Step `status`.
    [[nodiscard]] Outcome confined() const;

    /// Reports the failed step, and no more than that.
    void report(const Outcome& outcome) const;

    /// For a process that stays while the command runs: only the command's exec decides then when
    /// the other side reads the end.
    void close() const;

    /// Reports the failed step, prints it on standard error and ends the process with 125.
    [[noreturn]] void fail(const Outcome& outcome) const;

private:
    int fd_;
};

}  // namespace cordon::launch
