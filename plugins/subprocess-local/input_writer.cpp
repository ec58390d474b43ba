#include "input_writer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <csignal>
#include <string_view>

#include <pthread.h>
#include <time.h>
#include <unistd.h>

namespace cordon::subprocess_local {

namespace asio = boost::asio;

namespace {

/// write(2) whose SIGPIPE is taken back before the thread sees it: the disposition of the signal
/// belongs to the host, and pipes have no MSG_NOSIGNAL.
ssize_t write_without_signal(int fd, std::string_view bytes) {
    sigset_t pipe_signal;
    sigset_t before;
    sigset_t pending;
    ::sigemptyset(&pipe_signal);
    ::sigaddset(&pipe_signal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ::sigpending(&pending);
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    const int error = errno;
    if (written < 0 && error == EPIPE && ::sigismember(&pending, SIGPIPE) == 0) {
        const timespec no_wait{};
        while (::sigtimedwait(&pipe_signal, nullptr, &no_wait) < 0 && errno == EINTR) {}
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return written;
}

}  // namespace

Task<> write_input(UniqueFd pipe, std::string bytes) {
    const auto executor = co_await asio::this_coro::executor;
    asio::posix::stream_descriptor descriptor{executor, pipe.release()};
    descriptor.native_non_blocking(true);
    const auto token = asio::as_tuple(asio::use_awaitable);
    std::string_view rest = bytes;
    while (!rest.empty()) {
        const ssize_t written = write_without_signal(descriptor.native_handle(), rest);
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            const auto wait = asio::posix::stream_descriptor::wait_write;
            const auto [error] = co_await descriptor.async_wait(wait, token);
            if (error) {
                co_return;
            }
        } else if (errno != EINTR) {
            co_return;
        }
    }
}

}  // namespace cordon::subprocess_local
