#include <cordon/async/offload.hpp>

#include <boost/asio/thread_pool.hpp>

namespace cordon {

boost::asio::any_io_executor blocking_executor() {
    constexpr std::size_t kThreads = 2;
    // Never destroyed: a plugin's last call may still be in it while the process exits.
    static auto* const pool = new boost::asio::thread_pool{kThreads};
    return pool->get_executor();
}

}  // namespace cordon
