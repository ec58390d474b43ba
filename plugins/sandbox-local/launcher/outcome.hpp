#pragma once

namespace cordon::launch {

/// How one step went: done, or the step's name and error number for the status record and the
/// message.
struct Outcome {
    const char* step = nullptr;
    int error = 0;
    /// What the step was about, for the message; may be null.
    const char* subject = nullptr;

    [[nodiscard]] bool failed() const noexcept { return step != nullptr; }
};

inline constexpr Outcome kDone{};

/// `result`: what a system call returned, a negative error number.
[[nodiscard]] inline Outcome failure(
    const char* step, long result, const char* subject = nullptr
) noexcept {
    return Outcome{step, static_cast<int>(-result), subject};
}

}  // namespace cordon::launch
