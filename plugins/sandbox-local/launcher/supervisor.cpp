#include "supervisor.hpp"

#include "metadata_change.hpp"
#include "system.hpp"

#include <cerrno>

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

namespace cordon::launch {
namespace {

/// What `struct seccomp_data` promises: six arguments.
constexpr std::size_t kArguments = 6;

bool still_waits(int listener_fd, std::uint64_t id) {
    return sys::call(__NR_ioctl, listener_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

long decide(int listener_fd, const seccomp_notif& request, const RootDescriptors& roots) {
    const MetadataCall* const call = find_metadata_call(request.data.nr);
    if (call == nullptr) {
        return -ENOSYS;
    }
    std::uint64_t arguments[kArguments];
    for (std::size_t i = 0; i < kArguments; ++i) {
        arguments[i] = request.data.args[i];
    }
    Requester requester{static_cast<pid_t>(request.pid)};
    if (!requester.look()) {
        return -ESRCH;
    }
    if (!requester.acts_as_we_do()) {
        return -EPERM;
    }
    MetadataChange change;
    if (const long result = read_change(requester, *call, arguments, change); result < 0) {
        return result;
    }
    const long target = find_target(roots, requester, *call, arguments);
    if (target < 0) {
        return target;
    }
    // While it waits, its number cannot be somebody else's, so all that was read was its own.
    const long result = still_waits(listener_fd, request.id)
                            ? make_change(static_cast<int>(target), change)
                            : -ESRCH;
    sys::close(static_cast<int>(target));
    return result;
}

void answer_one(int listener_fd, const RootDescriptors& roots) {
    seccomp_notif request{};
    if (sys::call(__NR_ioctl, listener_fd, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0) {
        return;  // interrupted, or the requester was killed
    }
    const long result = decide(listener_fd, request, roots);
    seccomp_notif_resp response{};
    response.id = request.id;
    response.val = result < 0 ? 0 : result;
    response.error = result < 0 ? static_cast<std::int32_t>(result) : 0;
    sys::try_call(__NR_ioctl, listener_fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/// Orphans of the command, which became ours.
void reap_orphans(long command) {
    for (;;) {
        siginfo_t info{};
        info.si_pid = 0;
        const long result =
            sys::call(__NR_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, nullptr);
        if (result < 0 || info.si_pid == 0 || info.si_pid == command) {
            return;
        }
        sys::try_call(__NR_wait4, info.si_pid, nullptr, WNOHANG, nullptr);
    }
}

}  // namespace

void supervise(int listener_fd, int command_fd, long command, const RootDescriptors& roots) {
    for (;;) {
        pollfd events[] = {{listener_fd, POLLIN, 0}, {command_fd, POLLIN, 0}};
        const long result = sys::call(__NR_ppoll, events, 2, nullptr, nullptr, 0);
        if (result < 0 && result != -EINTR) {
            return;
        }
        if ((events[1].revents & POLLIN) != 0) {
            return;
        }
        if ((events[0].revents & POLLIN) != 0) {
            answer_one(listener_fd, roots);
        } else if ((events[0].revents & POLLHUP) != 0) {
            return;
        }
        reap_orphans(command);
    }
}

}  // namespace cordon::launch
