#pragma once

#include <cordon/async/task.hpp>
#include <cordon/process/subprocess.hpp>

#include <functional>
#include <memory>
#include <string_view>

namespace cordon::cli {

/// One of our own output streams, given a command's output byte for byte. A slow reader slows the
/// command down, never our timers.
class ForwardedStream : public std::enable_shared_from_this<ForwardedStream> {
public:
    /// `on_closed` is called once with errno, when nothing can be written any more (EPIPE: the
    /// reader has gone away); what comes after is dropped.
    ForwardedStream(int fd, std::function<void(int error)> on_closed);

    [[nodiscard]] Task<> write(std::string_view bytes);
    /// A sink that keeps this stream alive.
    [[nodiscard]] OutputSink sink();

    /// Nothing was written, or the last byte was a newline.
    [[nodiscard]] bool at_line_start() const noexcept { return at_line_start_; }

private:
    int fd_;
    std::function<void(int error)> on_closed_;
    bool closed_ = false;
    bool at_line_start_ = true;
};

}  // namespace cordon::cli
