#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/process/output_tail.hpp>
#include <cordon/process/subprocess.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>

namespace cordon::subprocess_local {

/// The host's end of an output pipe: reads it to its end, keeps the tail and passes everything on.
///
/// Threads: strand only.
class OutputStream {
public:
    /// `on_progress` is called whenever something was passed on, and at the end.
    OutputStream(
        const boost::asio::any_io_executor& strand,
        UniqueFd pipe,
        CollectOutput mode,
        std::function<void()> on_progress
    );

    /// Completes at end of file, or when the sink fails. Reads on only when the sink has completed.
    ///
    /// Cancellation: ends it at once.
    [[nodiscard]] Task<> pump();

    /// The sink is not called again; what it is doing now goes on.
    void forget_sink() noexcept { has_sink_ = false; }

    /// Notes what is in the pipe now: everything that a process which has ended wrote before.
    void mark_owed();

    /// All that `mark_owed` saw has been passed on.
    [[nodiscard]] bool has_caught_up() const noexcept { return ended_ || passed_on_ >= owed_; }

    [[nodiscard]] bool has_ended() const noexcept { return ended_; }

    [[nodiscard]] CollectedOutput collected() const { return tail_.collected(); }

private:
    class EndOfStream;

    boost::asio::posix::stream_descriptor pipe_;
    OutputTail tail_;
    OutputSink sink_;
    bool has_sink_;
    std::function<void()> on_progress_;
    std::uint64_t passed_on_ = 0;
    std::uint64_t owed_ = 0;
    bool ended_ = false;
};

}  // namespace cordon::subprocess_local
