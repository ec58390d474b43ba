#pragma once

#include <cordon/base/unique_fd.hpp>
#include <cordon/process/subprocess.hpp>
#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/policy.hpp>
#include <cordon/sandbox/provider.hpp>
#include <cordon/sandbox/runner_argv.hpp>
#include <cordon/sandbox/runner_status.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stdlib.h>
#include <unistd.h>

#include <plugins/plugin_host.hpp>

namespace cordon::testing {

/// What a test wants to run, and how.
struct Confined {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    std::string workspace = "/";
    std::optional<std::string> session_id{};
    std::vector<std::string> argv;
    std::string cwd = "/";
    EnvironmentChanges env;
    InputMode stdin_mode = NoInput{};
};

/// How it went.
struct ConfinedResult {
    ConfinedArgv confined;
    ExitStatus status;
    RunnerReport report;
    std::string output;
    std::string errors;
};

/// The plugins of a confined call, and a consumer that does what the room asks of consumers.
class ConfinementFixture {
public:
    ConfinementFixture() { host.apply("subprocess-local"); }

    /// Starts the provider with this configuration.
    void configure(Value config) { host.apply("sandbox-local", std::move(config)); }

    /// The one backend that this run of the tests is about, by CORDON_TEST_BACKEND; empty: whatever
    /// the default chain selects.
    static std::string chain_of_run() {
        const char* name = ::getenv("CORDON_TEST_BACKEND");  // NOLINT(concurrency-mt-unsafe)
        return name != nullptr ? name : "";
    }

    /// Whether this run of the tests is about the form that our own spawner applies, by
    /// CORDON_TEST_IN_PROCESS.
    static bool runs_in_process() {
        return ::getenv("CORDON_TEST_IN_PROCESS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
    }

    static bool is_in_process(const ConfinedResult& result) {
        return runs_in_process() && result.confined.prepared.has_value();
    }

    ConfinedResult run(Confined call) {
        if (!host.context().get<SandboxProvider>()) {
            const std::string chain = chain_of_run();
            configure(
                chain.empty() ? Value{} : Value{Object{{"chain", Value::Array{Value{chain}}}}}
            );
        }
        ConfinedResult result;
        host.run(run_into(std::move(call), result));
        return result;
    }

    ConfinedResult shell(
        ConfinedSandboxMode mode, const std::string& workspace, std::string script
    ) {
        Confined call;
        call.mode = mode;
        call.workspace = workspace;
        call.argv = {"sh", "-c", std::move(script)};
        call.cwd = workspace;
        return run(std::move(call));
    }

    PluginHost host;

private:
    Task<> run_into(Confined call, ConfinedResult& result) {
        const auto provider = host.context().get<SandboxProvider>();
        const auto subprocess = host.context().get<SubprocessService>();
        SandboxPolicy policy{call.mode, call.workspace, call.session_id};
        result.confined = co_await provider->confine(std::move(call.argv), std::move(policy));

        constexpr int kStatusFd = 3;
        Pipe pipe = make_pipe();
        SpawnSpec spec;
        const bool in_process = is_in_process(result);
        if (in_process) {
            ConfinedArgv prepared;
            prepared.argv = result.confined.prepared->argv;
            prepared.status = result.confined.prepared->status;
            spec.argv = runner_argv(prepared, RunnerCall{kStatusFd, std::nullopt});
            spec.env = std::move(call.env);
            spec.env["PWD"] = call.cwd;
            spec.confinement = result.confined.prepared->confinement;
        } else {
            spec.argv = runner_argv(result.confined, RunnerCall{kStatusFd, call.cwd});
            spec.env = runner_environment(result.confined, std::move(call.env));
        }
        spec.cwd = call.cwd;
        spec.stdin_mode = std::move(call.stdin_mode);
        spec.descriptors[kStatusFd] = pipe.write.get();
        const auto process = co_await subprocess->spawn(std::move(spec));
        pipe.write.reset();
        result.status = co_await process->wait();
        result.output = process->stdout_output().text;
        result.errors = process->stderr_output().text;
        char buffer[256];
        const ssize_t size = ::read(pipe.read.get(), buffer, sizeof buffer);
        result.report =
            parse_runner_report({buffer, size > 0 ? static_cast<std::size_t>(size) : 0});
    }
};

}  // namespace cordon::testing
