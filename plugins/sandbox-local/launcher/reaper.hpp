#pragma once

namespace cordon::launch {

/// What a shell calls the end of a process: its exit code, or 128 and the signal.
[[nodiscard]] int exit_code_of(int wait_status) noexcept;

/// Reaps whatever ends until `child` does, and returns how that ended, as `exit_code_of`. For the
/// first process of a process namespace: with its end the kernel ends all that is left there.
[[nodiscard]] int reap_until(long child) noexcept;

}  // namespace cordon::launch
