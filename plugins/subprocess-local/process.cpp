#include "process.hpp"

#include "input_writer.hpp"

#include <cordon/process/signal.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <sys/wait.h>

namespace cordon::subprocess_local {

namespace asio = boost::asio;

namespace {

ExitStatus exit_status_of(const siginfo_t& info) {
    if (info.si_code == CLD_EXITED) {
        return ExitStatus{info.si_status, std::nullopt};
    }
    return ExitStatus{std::nullopt, signal_name(info.si_status)};
}

}  // namespace

LocalProcess::LocalProcess(
    const asio::any_io_executor& strand,
    LaunchedChild child,
    EndTimes times,
    TaskGroup::OnFailure on_failure
)
    : pid_(child.pid),
      pidfd_(strand, child.pidfd.release()),
      times_(times),
      kill_timer_(strand),
      look_again_(strand),
      ended_(strand),
      streams_(strand, std::move(on_failure)) {}

Task<> LocalProcess::supervise(std::shared_ptr<LocalProcess> process, HostPipes pipes) {
    process->start_streams(std::move(pipes));
    co_await process->exited();
    co_await process->drain();
    co_await process->streams_.stop();
    process->signal_group(SIGKILL);
    process->reap();
    process->ended_.complete();
}

void LocalProcess::start_streams(HostPipes pipes) {
    output_ = start_stream(std::move(pipes.output));
    error_output_ = start_stream(std::move(pipes.error_output));
    if (pipes.input.pipe) {
        auto writing = write_input(std::move(pipes.input.pipe), std::move(pipes.input.bytes));
        streams_.spawn(fmt::format("standard input of process {}", pid_), std::move(writing));
    }
}

std::unique_ptr<OutputStream> LocalProcess::start_stream(HostPipes::Output output) {
    if (!output.pipe) {
        return nullptr;
    }
    auto stream = std::make_unique<OutputStream>(
        look_again_.get_executor(),
        std::move(output.pipe),
        std::move(output.mode),
        [this] { look_again_.cancel(); }
    );
    streams_.spawn(fmt::format("output of process {}", pid_), stream->pump());
    return stream;
}

Task<> LocalProcess::exited() {
    const auto token = asio::as_tuple(asio::use_awaitable);
    const auto readable = asio::posix::stream_descriptor::wait_read;
    for (;;) {
        siginfo_t info{};
        const auto id = static_cast<id_t>(pidfd_.native_handle());
        if (::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
            // The status is lost, and with it the right to signal the process's number.
            wait_error_ = errno;
            reaped_ = true;
            break;
        }
        if (info.si_pid != 0) {
            status_ = exit_status_of(info);
            break;
        }
        const auto [error] = co_await pidfd_.async_wait(readable, token);
        static_cast<void>(error);  // whatever woke us, waitid has the answer
    }
    exited_at_ = Clock::now();
}

Task<> LocalProcess::drain() {
    const auto token = asio::as_tuple(asio::use_awaitable);
    for (OutputStream* stream : {output_.get(), error_output_.get()}) {
        if (stream != nullptr) {
            stream->mark_owed();
        }
    }
    while (has_open_stream()) {
        const Clock::time_point deadline = drain_deadline();
        if (Clock::now() >= deadline) {
            break;
        }
        look_again_.expires_at(deadline);
        const auto [error] = co_await look_again_.async_wait(token);
        static_cast<void>(error);  // expired or told of progress: either way look again
    }
}

/// A process's own output is never cut off, however slowly a sink takes it. What others still write
/// after that gets the drain window, and the rest of the grace period where the group is being
/// ended, so that it can finish what SIGTERM made it begin.
LocalProcess::Clock::time_point LocalProcess::drain_deadline() {
    const bool behind = (output_ && !output_->has_caught_up()) ||
                        (error_output_ && !error_output_->has_caught_up());
    if (!behind && !caught_up_at_) {
        caught_up_at_ = Clock::now();
    }
    const Clock::time_point window = caught_up_at_.value_or(exited_at_) + times_.drain;
    if (kill_at_) {
        return std::max(window, *kill_at_);
    }
    return caught_up_at_ ? window : Clock::time_point::max();
}

bool LocalProcess::has_open_stream() const {
    return (output_ && !output_->has_ended()) || (error_output_ && !error_output_->has_ended());
}

void LocalProcess::terminate() {
    if (kill_at_ || reaped_) {
        return;
    }
    kill_at_ = Clock::now() + times_.grace;
    signal_group(SIGTERM);
    kill_timer_.expires_at(*kill_at_);
    kill_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        const auto process = weak.lock();
        if (!error && process) {
            process->signal_group(SIGKILL);
        }
    });
    look_again_.cancel();
}

void LocalProcess::abandon() {
    for (OutputStream* stream : {output_.get(), error_output_.get()}) {
        if (stream != nullptr) {
            stream->forget_sink();
        }
    }
    terminate();
}

void LocalProcess::signal_group(int signal) const {
    if (!reaped_) {
        // Fails only where the group is gone, which is what is wanted.
        ::kill(-pid_, signal);
    }
}

void LocalProcess::reap() {
    siginfo_t info{};
    const auto id = static_cast<id_t>(pidfd_.native_handle());
    while (!reaped_ && ::waitid(P_PIDFD, id, &info, WEXITED) != 0 && errno == EINTR) {}
    reaped_ = true;
    pidfd_.close();
    kill_timer_.cancel();
}

ExitStatus LocalProcess::status() const {
    if (wait_error_ != 0) {
        throw system_error("waitid", fmt::format("process {}", pid_), wait_error_);
    }
    return status_;
}

CollectedOutput LocalProcess::collected_output() const {
    return output_ ? output_->collected() : CollectedOutput{};
}

CollectedOutput LocalProcess::collected_error_output() const {
    return error_output_ ? error_output_->collected() : CollectedOutput{};
}

}  // namespace cordon::subprocess_local
