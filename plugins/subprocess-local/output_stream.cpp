#include "output_stream.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string_view>
#include <utility>
#include <vector>

#include <sys/ioctl.h>

namespace cordon::subprocess_local {

namespace asio = boost::asio;

/// However the pump ends, the pipe is closed, so that a process that still writes gets SIGPIPE.
class OutputStream::EndOfStream {
public:
    explicit EndOfStream(OutputStream& stream) : stream_(stream) {}

    ~EndOfStream() {
        boost::system::error_code ignored;  // there is nobody to tell
        stream_.pipe_.close(ignored);
        stream_.ended_ = true;
        stream_.on_progress_();
    }

    EndOfStream(const EndOfStream&) = delete;
    EndOfStream& operator=(const EndOfStream&) = delete;

private:
    OutputStream& stream_;
};

OutputStream::OutputStream(
    const asio::any_io_executor& strand,
    UniqueFd pipe,
    CollectOutput mode,
    std::function<void()> on_progress
)
    : pipe_(strand, pipe.release()),
      tail_(mode.max_bytes),
      sink_(std::move(mode.sink)),
      has_sink_(sink_ != nullptr),
      on_progress_(std::move(on_progress)) {}

Task<> OutputStream::pump() {
    constexpr std::size_t kChunk = 64U * 1024;  // what a pipe holds
    const EndOfStream end{*this};
    std::vector<char> chunk(kChunk);
    const auto space = asio::buffer(chunk);
    const auto token = asio::as_tuple(asio::use_awaitable);
    for (;;) {
        const auto [error, size] = co_await pipe_.async_read_some(space, token);
        const std::string_view bytes{chunk.data(), size};
        tail_.append(bytes);
        if (error) {
            co_return;
        }
        if (has_sink_) {
            co_await sink_(bytes);
        }
        passed_on_ += size;
        on_progress_();
    }
}

void OutputStream::mark_owed() {
    int waiting = 0;
    if (!ended_ && ::ioctl(pipe_.native_handle(), FIONREAD, &waiting) == 0) {
        owed_ = tail_.total() + static_cast<std::uint64_t>(waiting);
    }
}

}  // namespace cordon::subprocess_local
