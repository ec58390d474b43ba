#include <cordon/base/error.hpp>
#include <cordon/base/unique_fd.hpp>

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace cordon {

void UniqueFd::reset(int fd) noexcept {
    if (fd_ >= 0) {
        // Not repeated on EINTR: Linux has released the descriptor by then.
        ::close(fd_);
    }
    fd_ = fd;
}

Pipe make_pipe() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw system_error("pipe2", "close-on-exec", errno);
    }
    return Pipe{UniqueFd{ends[0]}, UniqueFd{ends[1]}};
}

}  // namespace cordon
