#pragma once

#include <cordon/base/export.hpp>

#include <utility>

namespace cordon {

/// Owns one file descriptor and closes it.
class CORDON_API UniqueFd {
public:
    UniqueFd() = default;

    explicit UniqueFd(int fd) noexcept : fd_(fd) {}

    ~UniqueFd() { reset(); }

    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;

    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) {
            reset(std::exchange(other.fd_, -1));
        }
        return *this;
    }

    [[nodiscard]] int get() const noexcept { return fd_; }

    [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }

    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

    void reset(int fd = -1) noexcept;

private:
    int fd_ = -1;
};

/// The two ends of a pipe, both close-on-exec.
struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

/// Errors: `Error` with code `SYSTEM_ERROR` where the process has no descriptors left.
[[nodiscard]] CORDON_API Pipe make_pipe();

}  // namespace cordon
