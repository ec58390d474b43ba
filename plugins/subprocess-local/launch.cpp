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

constexpr std::array<const char*, 6> kStepNames{
    "", "setsid", "parent-death signal", "descriptors", "chdir", "exec"};

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

LaunchedChild clone_child(ChildPlan& plan) {
    constexpr std::size_t kStackBytes = 64U * 1024;
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
            CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD,
            &plan,
            &pidfd
        );
        error = errno;
    }
    if (pid < 0) {
        throw SpawnError{"clone", plan.program, error};
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
    const std::vector<char*> envp = pointers(variables);
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
    child.host = ::getpid();

    LaunchedChild launched = clone_child(child);
    if (child.failed_step != ChildStep::none) {
        reap(launched.pid);
        const bool about_directory = child.failed_step == ChildStep::chdir;
        throw SpawnError{
            kStepNames[static_cast<std::size_t>(child.failed_step)],
            about_directory ? plan.cwd : plan.argv.front(),
            child.error};
    }
    return launched;
}

}  // namespace cordon::subprocess_local
