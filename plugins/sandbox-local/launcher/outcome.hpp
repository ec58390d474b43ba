#pragma once

#include <cerrno>

namespace cordon::launch {

/// How one step went: done, or the step's name and errno for the status record and the message.
struct Outcome {
    const char* step = nullptr;
    int error = 0;
    /// What the step was about, for the message; may be null.
    const char* subject = nullptr;

    [[nodiscard]] bool failed() const noexcept { return step != nullptr; }
};

inline constexpr Outcome kDone{};

[[nodiscard]] inline Outcome failure(const char* step, const char* subject = nullptr) noexcept {
    return Outcome{step, errno, subject};
}

}  // namespace cordon::launch
