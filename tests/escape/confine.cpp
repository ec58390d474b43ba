// escape-confine --backend native|bwrap|landlock [--in-process] --mode read-only|workspace-write
//                --workspace DIR -- COMMAND [ARG]...
//
// Becomes COMMAND, confined by one backend of sandbox-local as a consumer would run it, or with
// --in-process starts it as our own spawner would and ends as it does. Stands in for a command
// line, so that the suite depends on the provider only. Refuses to run what is not fully enforced,
// because the suite's verdicts are about that promise.

#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/mode.hpp>
#include <cordon/sandbox/provider.hpp>
#include <cordon/sandbox/runner_argv.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sandbox-local/bwrap_backend.hpp>
#include <sandbox-local/launcher_backend.hpp>
#include <sandbox-local/local_provider.hpp>

// The function itself, not the name that a sanitizer replaces: its replacement assumes that the
// child has memory of its own.
extern "C" int __clone(  // NOLINT(bugprone-reserved-identifier)
    int (*function)(void*),
    void* stack,
    int flags,
    void* argument,
    ...
);

namespace {

using cordon::ConfinedArgv;
using cordon::SandboxPolicy;
using cordon::Task;
using namespace cordon::sandbox_local;

constexpr int kUsage = 64;
constexpr int kNotConfined = 125;

struct Call {
    std::string backend;
    bool in_process = false;
    SandboxPolicy policy;
    std::vector<std::string> argv;
};

std::optional<Call> parse(std::vector<std::string> words) {
    Call call;
    const auto flag = std::find(words.begin(), words.end(), "--in-process");
    if (flag != words.end()) {
        call.in_process = true;
        words.erase(flag);
    }
    if (words.size() < 8 || words[0] != "--backend" || words[2] != "--mode" ||
        words[4] != "--workspace" || words[6] != "--") {
        return std::nullopt;
    }
    const auto mode = cordon::parse_sandbox_mode(words[3]);
    const auto confined = mode ? cordon::confined(*mode) : std::nullopt;
    if (!confined) {
        return std::nullopt;
    }
    call.backend = words[1];
    call.policy = {*confined, words[5], std::nullopt};
    call.argv = {words.begin() + 7, words.end()};
    return call;
}

std::shared_ptr<Backend> make_backend(const std::string& name) {
    const Installation installation = look_for_programs(std::nullopt);
    if (name == "bwrap") {
        return std::make_shared<BwrapBackend>(installation, Containment{}, ProbeRun{});
    }
    const LauncherKind kind = name == "native" ? LauncherKind::native : LauncherKind::landlock;
    return std::make_shared<LauncherBackend>(kind, installation, Containment{}, ProbeRun{});
}

Task<> confine_into(LocalProvider& provider, Call call, ConfinedArgv& confined) {
    confined = co_await provider.confine(std::move(call.argv), std::move(call.policy));
    co_await provider.stop();
}

ConfinedArgv confine(Call call) {
    boost::asio::io_context io;
    std::vector<std::shared_ptr<Backend>> chain{make_backend(call.backend)};
    LocalProvider provider{io.get_executor(), std::move(chain), [](std::string_view) {
                           }};
    ConfinedArgv confined;
    std::exception_ptr failure;
    boost::asio::co_spawn(
        io,
        confine_into(provider, std::move(call), confined),
        [&](const std::exception_ptr& thrown) { failure = thrown; }
    );
    io.run();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return confined;
}

void apply(const cordon::EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
        value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
}

[[noreturn]] void become(const ConfinedArgv& confined) {
    std::vector<std::string> words =
        cordon::runner_argv(confined, {std::nullopt, std::filesystem::current_path()});
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    apply(cordon::runner_environment(confined, {}));
    ::execv(argv[0], argv.data());
    std::perror(argv[0]);
    ::_exit(kNotConfined);
}

/// As the subprocess service does it: a child that shares our memory, in namespaces of its own.
struct Child {
    const cordon::ChildConfinement* confinement;
    cordon::ChildProgram program;
    cordon::ChildFailure failure;
};

__attribute__((no_sanitize("address", "thread", "undefined"))) int run_child(void* argument) {
    Child& child = *static_cast<Child*>(argument);
    child.failure = child.confinement->become(child.program);
    return kNotConfined;
}

int run_in_process(const ConfinedArgv& confined) {
    if (!confined.prepared) {
        std::fputs("escape-confine: the backend has no in-process form for this mode\n", stderr);
        return kNotConfined;
    }
    std::vector<std::string> words = confined.prepared->argv;
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        envp.push_back(*entry);
    }
    envp.insert(envp.end(), 2, nullptr);
    const std::string cwd = std::filesystem::current_path();
    Child child{
        confined.prepared->confinement.get(),
        {argv[0], argv.data(), envp.data(), cwd.c_str(), -1},
        {}};
    constexpr std::size_t kStackBytes = 256U * 1024;
    const auto stack = std::make_unique<std::byte[]>(kStackBytes);
    const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD |
                      static_cast<int>(confined.prepared->confinement->namespaces());
    const pid_t pid = __clone(&run_child, stack.get() + kStackBytes, flags, &child);
    int status = 0;
    if (pid < 0 || ::waitpid(pid, &status, 0) != pid) {
        std::perror("escape-confine");
        return kNotConfined;
    }
    if (child.failure.error != 0) {
        std::fprintf(
            stderr,
            "escape-confine: %s '%s': %s\n",
            child.failure.step,
            child.failure.subject,
            std::strerror(child.failure.error)
        );
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int main(int argument_count, char** arguments) {
    auto call = parse({arguments + 1, arguments + argument_count});
    if (!call) {
        std::fputs(
            "usage: escape-confine --backend native|bwrap|landlock [--in-process] "
            "--mode read-only|workspace-write --workspace DIR -- COMMAND...\n",
            stderr
        );
        return kUsage;
    }
    const bool in_process = call->in_process;
    try {
        const ConfinedArgv confined = confine(std::move(*call));
        if (confined.enforcement != cordon::SandboxEnforcement::full) {
            std::fprintf(stderr, "escape-confine: %s\n", confined.reasons.front().c_str());
            return kNotConfined;
        }
        if (in_process) {
            return run_in_process(confined);
        }
        become(confined);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "escape-confine: %s\n", error.what());
    }
    return kNotConfined;
}
