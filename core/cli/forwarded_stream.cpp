#include "forwarded_stream.hpp"

#include <cordon/async/offload.hpp>

#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace cordon::cli {
namespace {

/// Writes everything, whether or not the descriptor blocks; errno where it cannot be written to,
/// else 0.
int write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd writable{fd, POLLOUT, 0};
            ::poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

}  // namespace

ForwardedStream::ForwardedStream(int fd, std::function<void(int error)> on_closed)
    : fd_(fd), on_closed_(std::move(on_closed)) {}

Task<> ForwardedStream::write(std::string_view bytes) {
    const auto self = shared_from_this();
    if (closed_ || bytes.empty()) {
        co_return;
    }
    at_line_start_ = bytes.back() == '\n';
    const auto blocking_write = [fd = fd_, bytes] {
        return write_all(fd, bytes);
    };
    const int error = co_await offload(blocking_write);
    if (error != 0) {
        closed_ = true;
        on_closed_(error);
    }
}

OutputSink ForwardedStream::sink() {
    return [self = shared_from_this()](std::string_view bytes) {
        return self->write(bytes);
    };
}

}  // namespace cordon::cli
