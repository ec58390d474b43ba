// cordon-launch: confines itself as the command line says and becomes the command. Every failure
// before that ends with 125, a line on standard error and a record on the status descriptor;
// nothing has run then.

#include "capabilities.hpp"
#include "confine.hpp"
#include "environment.hpp"
#include "execute.hpp"
#include "options.hpp"
#include "reaper.hpp"
#include "status.hpp"
#include "supervisor.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <linux/limits.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

namespace cordon::launch {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
alignas(16) char child_stack[kStackBytes];

/// One run of the launcher.
struct Launch {
    Options options;
    Caller caller{};
    char** environment = nullptr;
    Status status{-1};
    int listener_fd = -1;
};

/// A copy with room for the variables that are set here; null where there is no memory.
char** copy_environment(char** environment) {
    std::size_t count = 0;
    while (environment[count] != nullptr) {
        ++count;
    }
    const std::size_t bytes = (count + kSpareVariables + 1) * sizeof(char*);
    const long address = sys::call(
        __NR_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
    );
    if (address < 0 && address > -PATH_MAX) {
        return nullptr;
    }
    auto** const copy = reinterpret_cast<char**>(static_cast<std::uintptr_t>(address));
    for (std::size_t i = 0; i < count; ++i) {
        copy[i] = environment[i];
    }
    return copy;
}

/// `NAME=value`, for as long as the launcher lives.
template <int Slot>
char* entry(const char* name, const char* value) {
    static Text<PATH_MAX + 16> text;
    text << name << "=" << value;
    return const_cast<char*>(text.c_str());
}

/// What the command finds changed beside the restrictions.
Outcome prepare_command(Launch& launch) {
    const Options& options = launch.options;
    launch.environment = copy_environment(launch.environment);
    if (launch.environment == nullptr) {
        return failure("environment", -ENOMEM);
    }
    restore_command_variables(launch.environment);
    if (options.temporary != nullptr) {
        ensure_temporary_directory(launch.environment, entry<0>("TMPDIR", options.temporary));
    }
    if (options.workdir == nullptr) {
        return kDone;
    }
    // The runner goes elsewhere without a word where its view hides the working directory.
    if (const long result = sys::call(__NR_chdir, options.workdir); result < 0) {
        return failure("chdir", result, options.workdir);
    }
    set_variable(launch.environment, "PWD", entry<1>("PWD", options.workdir));
    return kDone;
}

/// Does not return: becomes the command or ends with the reason.
[[noreturn]] void become_command(Launch& launch) {
    Outcome outcome = prepare_command(launch);
    if (!outcome.failed()) {
        const long result = execute(launch.options.command, launch.environment);
        outcome = failure("exec", result, launch.options.command[0]);
    }
    launch.status.fail(outcome);
}

int become_command_of(void* launch) {
    become_command(*static_cast<Launch*>(launch));
}

void follow_parent() {
    sys::try_call(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Confines this process, or ends with the reason.
void confine_or_fail(Launch& launch) {
    Outcome outcome = confine(launch.options, launch.caller, launch.listener_fd);
    if (!outcome.failed()) {
        outcome = launch.status.confined();
    }
    if (outcome.failed()) {
        launch.status.fail(outcome);
    }
    if (launch.options.check) {
        sys::exit(0);
    }
}

/// The first process of a process namespace.
int lead_namespace(void* argument) {
    Launch& launch = *static_cast<Launch*>(argument);
    follow_parent();
    confine_or_fail(launch);
    const long child = sys::clone_call(
        CLONE_VM | CLONE_VFORK | SIGCHLD, child_stack + kStackBytes, &become_command_of, &launch
    );
    if (child < 0) {
        launch.status.fail(failure("clone", child));
    }
    launch.status.close();
    return reap_until(child);
}

[[noreturn]] void launch_in_process_namespace(Launch& launch) {
    const unsigned long flags = namespaces_of(launch.options) | SIGCHLD;
    const long child = sys::clone_call(flags, nullptr, &lead_namespace, &launch);
    if (child < 0) {
        launch.status.fail(failure("namespaces", child));
    }
    launch.status.close();
    sys::exit(reap_until(child));
}

int become_supervised(void* argument) {
    Launch& launch = *static_cast<Launch*>(argument);
    follow_parent();
    confine_or_fail(launch);
    become_command(launch);
}

/// Ends as the command did, to the signal.
[[noreturn]] void end_as(long command) {
    int status = 0;
    while (sys::call(__NR_wait4, command, &status, 0, nullptr) == -EINTR) {}
    const int signal = status & 0x7f;
    if (signal != 0) {
        const rlimit no_core{};
        sys::try_call(__NR_prlimit64, 0, RLIMIT_CORE, &no_core, nullptr);
        const unsigned long none = 0;
        sys::try_call(__NR_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
        sys::try_call(__NR_kill, sys::call(__NR_getpid), signal);
    }
    sys::exit(exit_code_of(status));
}

/// The command shares our descriptors until it is executed: that is how its listener reaches us.
[[noreturn]] void launch_supervised(Launch& launch) {
    sys::try_call(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const long command = sys::clone_call(
        CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
        child_stack + kStackBytes,
        &become_supervised,
        &launch
    );
    if (command < 0) {
        launch.status.fail(failure("clone", command));
    }
    launch.status.close();
    // What is sent to the whole group reaches the command by itself; we end when it does.
    const unsigned long every_signal = ~0UL;
    sys::try_call(__NR_rt_sigprocmask, SIG_SETMASK, &every_signal, nullptr, sizeof every_signal);
    const long command_fd = sys::call(__NR_pidfd_open, command, 0);
    // Now, because the command closes everything that it does not need, for both of us. Where the
    // command could replace a root meanwhile, that lies in another one.
    RootDescriptors roots;
    Outcome outcome = roots.open(launch.options);
    if (!outcome.failed()) {
        outcome = apply_capabilities(plan_capabilities(launch.caller.uid));
    }
    // Without a supervisor every change of metadata fails.
    if (!outcome.failed() && launch.listener_fd >= 0 && command_fd >= 0) {
        supervise(launch.listener_fd, static_cast<int>(command_fd), command, roots);
    }
    end_as(command);
}

[[noreturn]] void launch_in_place(Launch& launch) {
    if (const unsigned long flags = namespaces_of(launch.options); flags != 0) {
        if (const long result = sys::call(__NR_unshare, flags); result < 0) {
            launch.status.fail(failure("namespaces", result));
        }
    }
    confine_or_fail(launch);
    become_command(launch);
}

[[noreturn]] void run(int argument_count, char** arguments, char** environment) {
    Launch launch;
    launch.environment = environment;
    launch.caller = who_calls();
    Outcome outcome = parse_options(argument_count, arguments, launch.options);
    launch.status = Status{launch.options.status_fd};
    if (!outcome.failed()) {
        outcome = launch.status.prepare();
    }
    if (outcome.failed()) {
        launch.status.fail(outcome);
    }
    if (launch.options.process_namespace) {
        launch_in_process_namespace(launch);
    }
    if (launch.options.supervise) {
        launch_supervised(launch);
    }
    launch_in_place(launch);
}

}  // namespace
}  // namespace cordon::launch

extern "C" int program(int argument_count, char** arguments, char** environment) {
    cordon::launch::run(argument_count, arguments, environment);
}
