#include "status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

constexpr int kLauncherFailed = 125;

bool write_all(int fd, const char* text, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(fd, text, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        text += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

/// Cuts the text to the buffer; a message without its end is still a message.
template <std::size_t Size>
std::size_t length(const char (&/*buffer*/)[Size], int wanted) {
    return std::min(static_cast<std::size_t>(std::max(wanted, 0)), Size - 1);
}

}  // namespace

Outcome Status::prepare() const {
    if (fd_ >= 0 && ::fcntl(fd_, F_SETFD, FD_CLOEXEC) != 0) {
        return failure("status");
    }
    return kDone;
}

Outcome Status::confined() const {
    constexpr char kRecord[] = "confined\n";
    if (fd_ >= 0 && !write_all(fd_, kRecord, sizeof kRecord - 1)) {
        return failure("status");
    }
    return kDone;
}

void Status::fail(const Outcome& outcome) const {
    char record[128];
    const std::size_t record_size = length(
        record, std::snprintf(record, sizeof record, "failed %s %d\n", outcome.step, outcome.error)
    );
    if (fd_ >= 0) {
        // Whoever reads it sees the end of the pipe without `confined` in any case.
        static_cast<void>(write_all(fd_, record, record_size));
    }
    const bool has_subject = outcome.subject != nullptr;
    const char* name = ::strerrorname_np(outcome.error);
    char line[512];
    const std::size_t line_size = length(
        line,
        std::snprintf(
            line,
            sizeof line,
            "cordon-launch: %s%s%s%s: %s (%s)\n",
            outcome.step,
            has_subject ? " '" : "",
            has_subject ? outcome.subject : "",
            has_subject ? "'" : "",
            ::strerrordesc_np(outcome.error),
            name != nullptr ? name : "?"
        )
    );
    // The line is for people; nothing depends on it.
    static_cast<void>(write_all(STDERR_FILENO, line, line_size));
    ::_exit(kLauncherFailed);
}

}  // namespace cordon::launch
