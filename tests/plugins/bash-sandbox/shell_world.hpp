#pragma once

#include <cordon/async/task_group.hpp>
#include <cordon/context/container.hpp>
#include <cordon/sandbox/policy.hpp>
#include <cordon/sandbox/provider.hpp>
#include <cordon/shell/shell.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <doctest/doctest.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <bash-sandbox/executor.hpp>
#include <subprocess-local/service.hpp>
#include <support/coroutine.hpp>

namespace cordon::testing {

class FakePolicy final : public SandboxPolicyService {
public:
    [[nodiscard]] SandboxMode default_mode() const override { return policy.mode; }

    [[nodiscard]] const std::string& workspace_root() const override {
        return policy.workspace_root;
    }

    [[nodiscard]] Task<SandboxExecutionPolicy> resolve(SandboxPolicyRequest) override {
        co_return policy;
    }

    SandboxExecutionPolicy policy{SandboxMode::workspace_write, "/var/tmp", std::nullopt};
};

/// Reports `confined`, as a runner that works does, and executes what follows `--`.
inline constexpr const char* kGoodRunner =
    "[ \"$1\" = --status ] && { echo confined >&$2; eval \"exec $2>&-\"; shift 2; }; "
    "shift; exec \"$@\"";

/// A provider whose runner is a bash script, and a record of what it was asked.
class FakeSandbox final : public SandboxProvider {
public:
    [[nodiscard]] Task<ConfinedArgv> confine(std::vector<std::string> argv, SandboxPolicy policy)
        override {
        asked.emplace_back(argv, policy);
        if (before_answer) {
            co_await before_answer();
        }
        ConfinedArgv confined = answer;
        confined.argv = {"/bin/bash", "-c", script, "runner", "--"};
        confined.argv.insert(confined.argv.end(), argv.begin(), argv.end());
        if (!runner.empty()) {
            confined.argv.front() = runner;
        }
        co_return confined;
    }

    std::string script = kGoodRunner;
    /// Instead of bash.
    std::string runner;
    /// What the answer holds beside argv.
    ConfinedArgv answer = usual_answer();
    std::function<Task<>()> before_answer;
    std::vector<std::pair<std::vector<std::string>, SandboxPolicy>> asked;

private:
    static ConfinedArgv usual_answer() {
        ConfinedArgv answer;
        answer.enforcement = SandboxEnforcement::full;
        answer.backend = "fake";
        answer.denial_signatures = {"read-only file system"};
        answer.runner_failure_rules = {{std::nullopt, {"bwrap: "}, {}}};
        answer.status = RunnerStatusOption{4, "--status"};
        return answer;
    }
};

/// An executor with everything around it.
struct ShellWorld {
    std::shared_ptr<FakePolicy> policy = std::make_shared<FakePolicy>();
    std::shared_ptr<FakeSandbox> sandbox = std::make_shared<FakeSandbox>();
    std::shared_ptr<ShellExecutor> shell;

    /// Resolves and runs.
    Task<ShellResult> run(ShellRequest request) const {
        ShellSpec spec = co_await shell->resolve(std::move(request));
        co_return co_await shell->run(std::move(spec));
    }
};

inline ShellRequest request_of(std::string command) {
    ShellRequest request;
    request.command = std::move(command);
    request.workdir = "/";
    return request;
}

using ShellTest = Task<> (*)(ShellWorld& world);

inline Task<> end_processes(std::shared_ptr<subprocess_local::LocalSubprocess> service) {
    co_await service->stop();
}

inline Task<> run_in_container(Container* container, bash_sandbox::Config config, ShellTest body) {
    const Context root = container->root();
    ShellWorld world;
    auto processes = std::make_shared<subprocess_local::LocalSubprocess>(
        root.executor(),
        subprocess_local::EndTimes{},
        [](const std::string&, const std::exception_ptr&) {}
    );
    root.effect("processes", [processes] { return end_processes(processes); });
    root.provide<SubprocessService>(processes);
    root.provide<SandboxProvider>(world.sandbox);
    root.provide<SandboxPolicyService>(world.policy);
    world.shell = std::make_shared<bash_sandbox::BashSandbox>(
        root, std::move(config), std::vector<std::filesystem::path>{"/bin/bash"}
    );
    co_await body(world);
}

inline Task<> run_with_shell(bash_sandbox::Config config, ShellTest body) {
    const auto executor = co_await boost::asio::this_coro::executor;
    Container container{executor};
    auto test = run_in_container(&container, std::move(config), body);
    std::exception_ptr failure;
    try {
        co_await boost::asio::co_spawn(
            container.strand(), std::move(test), boost::asio::use_awaitable
        );
    } catch (...) {
        failure = std::current_exception();
    }
    co_await container.shutdown();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

inline void with_shell(ShellTest body, bash_sandbox::Config config = {}) {
    run([body, &config] { return run_with_shell(config, body); });
}

/// The failure of a run as `CODE: message`; empty where it gave a result.
inline Task<std::string> failure_of_run(const ShellWorld& world, ShellRequest request) {
    try {
        co_await world.run(std::move(request));
    } catch (const Error& error) {
        co_return error.code() + ": " + error.message();
    }
    co_return "";
}

}  // namespace cordon::testing
