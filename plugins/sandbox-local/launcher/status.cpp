#include "status.hpp"

#include "error_names.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <fcntl.h>

namespace cordon::launch {
namespace {

constexpr int kLauncherFailed = 125;
constexpr int kStandardError = 2;
constexpr const char* kConfinedRecord = "confined\n";

long write_all(int fd, const char* text, std::size_t size) {
    while (size > 0) {
        const long written = sys::call(__NR_write, fd, text, size);
        if (written == -EINTR) {
            continue;
        }
        if (written <= 0) {
            return written < 0 ? written : -EIO;
        }
        text += written;
        size -= static_cast<std::size_t>(written);
    }
    return 0;
}

}  // namespace

Outcome Status::prepare() const {
    if (fd_ >= 0) {
        if (const long result = sys::call(__NR_fcntl, fd_, F_SETFD, FD_CLOEXEC); result < 0) {
            return failure("status", result);
        }
    }
    return kDone;
}

Outcome Status::confined() const {
    if (fd_ >= 0) {
        const long result = write_all(fd_, kConfinedRecord, length(kConfinedRecord));
        if (result < 0) {
            return failure("status", result);
        }
    }
    return kDone;
}

void Status::report(const Outcome& outcome) const {
    if (fd_ >= 0) {
        Text<128> record;
        record << "failed " << outcome.step << " " << outcome.error << "\n";
        // Whoever reads it sees the end of the pipe without `confined` in any case.
        static_cast<void>(write_all(fd_, record.c_str(), record.size()));
    }
}

void Status::close() const {
    if (fd_ >= 0) {
        sys::close(fd_);
    }
}

void Status::fail(const Outcome& outcome) const {
    report(outcome);
    Text<512> line;
    line << "cordon-launch: " << outcome.step;
    if (outcome.subject != nullptr) {
        line << " '" << outcome.subject << "'";
    }
    const ErrorName name = name_of_error(outcome.error);
    line << ": " << name.description << " (" << name.code << ")\n";
    // The line is for people; nothing depends on it.
    static_cast<void>(write_all(kStandardError, line.c_str(), line.size()));
    sys::exit(kLauncherFailed);
}

}  // namespace cordon::launch
