#include <cordon/async/offload.hpp>
#include <cordon/base/error.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <system_error>
#include <thread>

namespace cordon {
namespace {

namespace asio = boost::asio;

/// Not asio::thread_pool: its constructor waits forever for the threads that it has where the host
/// has none left for the next one.
class BlockingThreads {
public:
    BlockingThreads() {
        constexpr int kThreads = 2;
        for (int started = 0; started < kThreads; ++started) {
            try {
                std::thread{[this] {
                    work_.run();
                }}.detach();
            } catch (const std::system_error& failure) {
                if (started == 0) {
                    throw system_error("start", "a thread", failure.code().value());
                }
                return;  // one does the work of two, later
            }
        }
    }

    [[nodiscard]] asio::any_io_executor executor() { return work_.get_executor(); }

private:
    asio::io_context work_;
    asio::executor_work_guard<asio::io_context::executor_type> guard_{work_.get_executor()};
};

}  // namespace

asio::any_io_executor blocking_executor() {
    // Never destroyed: a plugin's last call may still be in it while the process exits.
    static auto* const threads = new BlockingThreads;
    return threads->executor();
}

}  // namespace cordon
