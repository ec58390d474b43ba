#include "launch.hpp"

#include <cordon/process/program.hpp>
#include <cordon/process/subprocess.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The function itself, not the name that a sanitizer replaces: its replacement assumes that the
// child has memory of its own.
extern "C" int __clone(  // NOLINT(bugprone-reserved-identifier)
    int (*function)(void*),
    void* stack,
    int flags,
    void* argument,
    ...
);

namespace cordon::subprocess_local {
namespace {

constexpr std::array<const char*, 7> kStepNames{
    "", "setsid", "parent-death signal", "descriptors", "chdir", "exec", "confinement"};

/// `program` itself where it names a path, else what PATH of the child finds.
std::string find_program(const LaunchPlan& plan) {
    const std::string& name = plan.argv.front();
    if (name.find('/') != std::string::npos) {
        return name;
    }
    const auto path = plan.environment.find("PATH");
    const std::string_view folders =
        path != plan.environment.end() ? std::string_view{path->second} : kDefaultPath;
    const auto found = find_programs(name, folders, plan.cwd);
    if (found.empty()) {
        throw SpawnError{"exec", name, ENOENT};
    }
    return found.front().string();
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

int descriptor_limit() {
    constexpr rlim_t kMost = 1U << 20U;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return static_cast<int>(kMost);
    }
    return static_cast<int>(std::min(limit.rlim_cur, kMost));
}

/// No handler of the host may run in the child while the two share their memory.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }

    ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_{};
};

/// A pidfd of this process, made once.
int own_pidfd() {
    // Linux 5.3; the numbers from 424 on are the same on every architecture.
    static const UniqueFd fd{static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))};
    return fd.get();
}

[[noreturn]] void throw_failure(const LaunchPlan& plan, const ChildPlan& child) {
    if (child.failed_step == ChildStep::confinement) {
        const std::string step = child.failure.step;
        const bool is_command = step == "exec" || step == "chdir";
        throw SpawnError{
            step,
            child.failure.subject,
            child.failure.error,
            is_command ? SpawnError::Origin::process : SpawnError::Origin::confinement};
    }
    const bool about_directory = child.failed_step == ChildStep::chdir;
    throw SpawnError{
        kStepNames[static_cast<std::size_t>(child.failed_step)],
        about_directory ? plan.cwd : plan.argv.front(),
        child.error};
}

LaunchedChild clone_child(ChildPlan& plan) {
    constexpr std::size_t kStackBytes = 128U * 1024;
    const int namespaces =
        plan.confinement != nullptr ? static_cast<int>(plan.confinement->namespaces()) : 0;
    const auto stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
    int pidfd = -1;
    pid_t pid = -1;
    int error = 0;
    {
        const BlockedSignals blocked;
        // Returns once the child has executed its program or ended.
        pid = __clone(
            &run_child,
            stack.get() + kStackBytes,
            CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | namespaces,
            &plan,
            &pidfd
        );
        error = errno;
    }
    if (pid < 0) {
        throw SpawnError{
            namespaces != 0 ? "namespaces" : "clone",
            plan.program,
            error,
            namespaces != 0 ? SpawnError::Origin::confinement : SpawnError::Origin::process};
    }
    return LaunchedChild{pid, UniqueFd{pidfd}};
}

void reap(pid_t pid) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
}

}  // namespace

LaunchedChild launch(const LaunchPlan& plan) {
    const std::string program = find_program(plan);
    std::vector<std::string> arguments = plan.argv;
    std::vector<std::string> variables;
    for (const auto& [name, value] : plan.environment) {
        variables.push_back(name + '=' + value);
    }
    const std::vector<char*> argv = pointers(arguments);
    std::vector<char*> envp = pointers(variables);
    envp.push_back(nullptr);  // room for one more
    std::vector<int> lifted(plan.moves.size(), -1);

    ChildPlan child;
    child.program = program.c_str();
    child.argv = argv.data();
    child.envp = envp.data();
    child.cwd = plan.cwd.c_str();
    child.moves = plan.moves.data();
    child.move_count = plan.moves.size();
    child.lifted = lifted.data();
    for (const DescriptorMove& move : plan.moves) {
        child.highest_child = std::max(child.highest_child, move.child);
    }
    child.descriptor_limit = descriptor_limit();
    child.host_fd = own_pidfd();
    child.confinement = plan.confinement.get();

    LaunchedChild launched = clone_child(child);
    if (child.failed_step != ChildStep::none) {
        reap(launched.pid);
        throw_failure(plan, child);
    }
    return launched;
}

}  // namespace cordon::subprocess_local
