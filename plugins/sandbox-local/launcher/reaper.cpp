#include "reaper.hpp"

#include "system.hpp"

#include <cerrno>

namespace cordon::launch {

int exit_code_of(int wait_status) noexcept {
    const int signal = wait_status & 0x7f;
    return signal != 0 ? 128 + signal : (wait_status >> 8) & 0xff;
}

int reap_until(long child) noexcept {
    constexpr int kLost = 125;
    for (;;) {
        int status = 0;
        const long ended = sys::call(__NR_wait4, -1, &status, 0, nullptr);
        if (ended == child) {
            return exit_code_of(status);
        }
        if (ended < 0 && ended != -EINTR) {
            return kLost;
        }
    }
}

}  // namespace cordon::launch
