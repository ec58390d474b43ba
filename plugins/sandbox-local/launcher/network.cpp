#include "network.hpp"

#include "system.hpp"

#include <linux/if.h>
#include <linux/sockios.h>
#include <sys/socket.h>

namespace cordon::launch {

Outcome raise_loopback() {
    const long fd = sys::call(__NR_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return failure("network", fd);
    }
    ifreq request{};
    request.ifr_name[0] = 'l';
    request.ifr_name[1] = 'o';
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    const long result = sys::call(__NR_ioctl, fd, SIOCSIFFLAGS, &request);
    sys::close(static_cast<int>(fd));
    return result < 0 ? failure("network", result, "lo") : kDone;
}

}  // namespace cordon::launch
