#pragma once

#include "launch.hpp"
#include "output_stream.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/process/subprocess.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace cordon::subprocess_local {

/// How long things may take around the end of a process.
struct EndTimes {
    /// From SIGTERM to SIGKILL.
    std::chrono::milliseconds grace{3000};
    /// For pipes that are still open after the process itself has ended.
    std::chrono::milliseconds drain{200};
};

/// The host's ends of the pipes of a process, without a descriptor where there is none.
struct HostPipes {
    struct Input {
        UniqueFd pipe;
        std::string bytes;
    };

    struct Output {
        UniqueFd pipe;
        CollectOutput mode;
    };

    Input input;
    Output output;
    Output error_output;
};

/// One started process, from its start until nothing of its process group is left. The process is
/// reaped last of all, so its number, which is that of the group too, cannot be somebody else's
/// while anything can still be signalled (field-80).
///
/// Threads: strand only.
class LocalProcess : public std::enable_shared_from_this<LocalProcess> {
public:
    LocalProcess(
        const boost::asio::any_io_executor& strand,
        LaunchedChild child,
        EndTimes times,
        TaskGroup::OnFailure on_failure
    );

    /// To be run once, to its end: passes output on and completes when the process is gone.
    /// Must not be cancelled.
    [[nodiscard]] static Task<> supervise(std::shared_ptr<LocalProcess> process, HostPipes pipes);

    void terminate();

    /// The caller has gone: ends the process and calls no sink any more.
    void abandon();

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }

    /// Complete once `supervise` is.
    [[nodiscard]] const Completion& ended() const noexcept { return ended_; }

    /// Errors: code `SYSTEM_ERROR` where something else in the host took the status.
    ///
    /// Precondition: `ended()` is complete.
    [[nodiscard]] ExitStatus status() const;

    [[nodiscard]] CollectedOutput collected_output() const;
    [[nodiscard]] CollectedOutput collected_error_output() const;

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] Task<> exited();
    [[nodiscard]] Task<> drain();
    [[nodiscard]] Clock::time_point drain_deadline();
    [[nodiscard]] bool has_open_stream() const;
    void start_streams(HostPipes pipes);
    [[nodiscard]] std::unique_ptr<OutputStream> start_stream(HostPipes::Output output);
    void signal_group(int signal) const;
    void reap();

    pid_t pid_;
    boost::asio::posix::stream_descriptor pidfd_;
    EndTimes times_;
    std::unique_ptr<OutputStream> output_;
    std::unique_ptr<OutputStream> error_output_;
    ExitStatus status_;
    int wait_error_ = 0;
    bool reaped_ = false;
    Clock::time_point exited_at_;
    std::optional<Clock::time_point> caught_up_at_;
    /// Present from `terminate()` on.
    std::optional<Clock::time_point> kill_at_;
    boost::asio::steady_timer kill_timer_;
    /// Wakes `drain()` when it has to look again.
    boost::asio::steady_timer look_again_;
    Completion ended_;
    TaskGroup streams_;
};

}  // namespace cordon::subprocess_local
