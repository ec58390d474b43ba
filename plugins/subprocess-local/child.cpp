// The code that runs between clone and exec. The child has the memory and the thread-local state of
// the thread that made it, which is suspended. One rule for everything in this file: system calls
// through syscall() and prepared arrays only; no allocation, no locks, no library function that
// keeps state, no exception.

#include "child.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A sanitizer's bookkeeping would be done twice in memory that both sides share.
#define CORDON_POST_CLONE __attribute__((no_sanitize("address", "thread", "undefined")))

namespace cordon::subprocess_local {
namespace {

/// What the kernel calls struct sigaction; all zero is "default".
struct KernelSignalAction {
    unsigned long handler;
    unsigned long flags;
    unsigned long restorer;
    unsigned long mask;
};

constexpr std::size_t kSignalSetBytes = 8;

CORDON_POST_CLONE void reset_signals() {
    const KernelSignalAction action{0, 0, 0, 0};
    for (int signal = 1; signal < NSIG; ++signal) {
        // Fails for SIGKILL and SIGSTOP, which have no other action anyway.
        ::syscall(SYS_rt_sigaction, signal, &action, nullptr, kSignalSetBytes);
    }
}

CORDON_POST_CLONE void unblock_signals() {
    const unsigned long none = 0;
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, kSignalSetBytes);
}

/// The child is to end with the host, however that ends.
CORDON_POST_CLONE bool follow_host(const ChildPlan& plan) {
    if (::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
        return false;
    }
    // The host may have died before the request was made. Its number says nothing in a process
    // namespace of the child's own.
    pollfd host{plan.host_fd, POLLIN, 0};
    timespec no_time{0, 0};
    const long ended = ::syscall(SYS_ppoll, &host, 1, &no_time, nullptr, kSignalSetBytes);
    errno = ended > 0 ? ESRCH : errno;
    return ended == 0;
}

CORDON_POST_CLONE bool is_wanted(const ChildPlan& plan, int descriptor) {
    for (std::size_t i = 0; i < plan.move_count; ++i) {
        if (plan.moves[i].child == descriptor) {
            return true;
        }
    }
    return false;
}

CORDON_POST_CLONE bool close_on_exec_from(int first, int limit) {
    if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
        return true;
    }
    // A seccomp filter older than the call refuses it.
    for (int descriptor = first; descriptor < limit; ++descriptor) {
        ::syscall(SYS_fcntl, descriptor, F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/// Lifts every source above all targets first, so that no move overwrites the source of another.
CORDON_POST_CLONE bool place_descriptors(const ChildPlan& plan) {
    for (std::size_t i = 0; i < plan.move_count; ++i) {
        const long lifted =
            ::syscall(SYS_fcntl, plan.moves[i].host, F_DUPFD_CLOEXEC, plan.highest_child + 1);
        if (lifted < 0) {
            return false;
        }
        plan.lifted[i] = static_cast<int>(lifted);
    }
    for (std::size_t i = 0; i < plan.move_count; ++i) {
        // The target loses close-on-exec; source and target always differ here.
        if (::syscall(SYS_dup3, plan.lifted[i], plan.moves[i].child, 0) < 0) {
            return false;
        }
    }
    for (int descriptor = 0; descriptor <= plan.highest_child; ++descriptor) {
        if (!is_wanted(plan, descriptor)) {
            ::syscall(SYS_close, descriptor);
        }
    }
    return close_on_exec_from(plan.highest_child + 1, plan.descriptor_limit);
}

CORDON_POST_CLONE int fail(ChildPlan& plan, ChildStep step) {
    constexpr int kExitStatus = 127;
    plan.error = errno;
    plan.failed_step = step;
    return kExitStatus;
}

/// Hands over to the confinement, which executes the program.
CORDON_POST_CLONE int become_confined(ChildPlan& plan) {
    const int status_fd = plan.highest_child > 2 ? plan.highest_child : -1;
    const ChildProgram program{plan.program, plan.argv, plan.envp, plan.cwd, status_fd};
    plan.failure = plan.confinement->become(program);
    errno = plan.failure.error;
    return fail(plan, ChildStep::confinement);
}

}  // namespace

CORDON_POST_CLONE int run_child(void* argument) {
    ChildPlan& plan = *static_cast<ChildPlan*>(argument);
    reset_signals();
    if (::syscall(SYS_setsid) < 0) {
        return fail(plan, ChildStep::session);
    }
    if (!follow_host(plan)) {
        return fail(plan, ChildStep::parent);
    }
    if (!place_descriptors(plan)) {
        return fail(plan, ChildStep::descriptors);
    }
    if (::syscall(SYS_chdir, plan.cwd) != 0) {
        return fail(plan, ChildStep::chdir);
    }
    unblock_signals();
    if (plan.confinement != nullptr) {
        return become_confined(plan);
    }
    ::syscall(SYS_execve, plan.program, plan.argv, plan.envp);
    return fail(plan, ChildStep::exec);
}

}  // namespace cordon::subprocess_local
