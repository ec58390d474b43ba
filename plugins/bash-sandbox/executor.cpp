#include "executor.hpp"

#include "bash_program.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/async/timeout.hpp>
#include <cordon/process/spawn_check.hpp>
#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/runner_argv.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace cordon::bash_sandbox {

namespace asio = boost::asio;

namespace {

std::chrono::milliseconds milliseconds_of(double number) {
    return std::chrono::milliseconds{static_cast<std::int64_t>(std::max(number, 1.0))};
}

std::size_t bytes_of(double number) {
    constexpr double kMost = 1e15;  // more than any memory, and exact as an integer
    return static_cast<std::size_t>(std::clamp(number, 1.0, kMost));
}

[[noreturn]] void refuse(std::string message) {
    throw Error{std::move(message), "INVALID_REQUEST"};
}

/// No colours and no pagers, unless the call wants them (spec BL-13).
EnvironmentChanges environment_of(const ShellSpec& spec) {
    EnvironmentChanges changes = spec.env;
    changes.try_emplace("NO_COLOR", "1");
    changes.try_emplace("TERM", "dumb");
    changes.try_emplace("PAGER", "cat");
    changes.try_emplace("GIT_PAGER", "cat");
    return changes;
}

Task<ExitStatus> wait_for(std::shared_ptr<ProcessHandle> process) {
    co_return co_await process->wait();
}

}  // namespace

BashSandbox::BashSandbox(
    Context context, Config config, std::vector<std::filesystem::path> bash_candidates
)
    : context_(std::move(context)),
      config_(std::move(config)),
      bash_candidates_(std::move(bash_candidates)),
      mode_(context_.use<SandboxPolicyService>()->default_mode()) {}

Task<ShellSpec> BashSandbox::resolve(ShellRequest request) {
    ShellSpec spec;
    if (request.timeout && request.timeout->count() <= 0) {
        refuse("bash-local: request.timeoutMs must be a positive finite number");
    }
    if (request.stdout_max_bytes && *request.stdout_max_bytes == 0) {
        refuse("bash-local: request.stdoutMaxBytes must be a positive finite number");
    }
    const auto timeout = request.timeout.value_or(milliseconds_of(config_.timeout_ms));
    spec.timeout = std::min(timeout, milliseconds_of(config_.max_timeout_ms));
    spec.stdout_max_bytes = request.stdout_max_bytes.value_or(bytes_of(config_.max_output_bytes));
    spec.command = std::move(request.command);
    if (request.workdir || config_.cwd) {
        spec.workdir = request.workdir ? *request.workdir : *config_.cwd;
    } else {
        spec.workdir = std::filesystem::current_path().string();
    }
    spec.stdin_mode = std::move(request.stdin_mode);
    spec.env = std::move(request.env);
    spec.on_stdout = std::move(request.on_stdout);
    spec.on_stderr = std::move(request.on_stderr);
    spec.sandbox_policy = std::move(request.sandbox_policy);
    if (!spec.sandbox_policy) {
        const auto policy = context_.use<SandboxPolicyService>();
        SandboxPolicyRequest nothing_known;
        spec.sandbox_policy = co_await policy->resolve(std::move(nothing_known));
    }
    co_return spec;
}

Task<ShellResult> BashSandbox::run(ShellSpec spec) {
    if (!spec.sandbox_policy) {
        refuse("bash-sandbox: expected a spec with a sandbox policy; make it with resolve()");
    }
    Call call{std::move(spec), {}, Clock::now()};
    call.policy = *call.spec.sandbox_policy;
    auto choosing = offload([this, root = call.policy.workspace_root] {
        return choose_bash(bash_candidates_, root);
    });
    std::string bash = co_await std::move(choosing);
    SpawnSpec spawn = plain_spawn(call, std::move(bash));
    // Before the policy is looked at: text with a NUL byte would mean one thing to a policy and
    // another to the kernel.
    check_spawn(spawn);
    const auto mode = confined(call.policy.mode);
    if (!mode) {
        co_return co_await run_unconfined(std::move(call), std::move(spawn));
    }
    co_return co_await run_confined(std::move(call), *mode, std::move(spawn));
}

SpawnSpec BashSandbox::plain_spawn(const Call& call, std::string bash) const {
    SpawnSpec spawn;
    spawn.argv = {std::move(bash), "-c", call.spec.command};
    spawn.cwd = call.spec.workdir;
    spawn.env = environment_of(call.spec);
    spawn.stdin_mode = call.spec.stdin_mode;
    spawn.stdout_mode = CollectOutput{call.spec.stdout_max_bytes, call.spec.on_stdout};
    spawn.stderr_mode = CollectOutput{bytes_of(config_.max_output_bytes), call.spec.on_stderr};
    spawn.grace = milliseconds_of(config_.grace_ms);
    return spawn;
}

Task<ShellResult> BashSandbox::run_unconfined(Call call, SpawnSpec spawn) {
    const auto shared = std::make_shared<const Call>(std::move(call));
    ShellResult result = co_await execute(shared, std::move(spawn), nullptr);
    result.sandbox = SandboxFacts{};
    result.sandbox->mode = SandboxMode::danger_full_access;
    co_return result;
}

Task<ShellResult> BashSandbox::run_confined(Call call, ConfinedSandboxMode mode, SpawnSpec spawn) {
    ConfinedRun run;
    run.mode = mode;
    run.program = spawn.argv.front();
    run.workdir = std::filesystem::absolute(spawn.cwd).string();
    const auto shared = std::make_shared<const Call>(std::move(call));
    const SandboxExecutionPolicy& policy = shared->policy;

    const auto sandbox = context_.use<SandboxProvider>();
    SandboxPolicy confined_policy{mode, policy.workspace_root, policy.session_id};
    auto confining = sandbox->confine(spawn.argv, std::move(confined_policy));
    auto confined = co_await with_timeout(std::move(confining), shared->remaining());
    if (!confined) {
        co_return timed_out_before_start(*shared);
    }
    run.confined = std::move(*confined);

    const bool is_prepared =
        context_.use<SubprocessService>()->confines_children() && run.confined.prepared.has_value();
    const std::shared_ptr<StatusPipe> status =
        is_prepared ? prepare_child(run, spawn) : prepare_runner(run, spawn);
    ShellResult result;
    try {
        result = co_await execute(shared, std::move(spawn), status);
    } catch (const SpawnError& failure) {
        throw_start_failure(run, failure);
    }
    if (status) {
        run.report = status->report();
    } else if (is_prepared) {
        run.report = RunnerReport{true, {}, 0};  // what was executed is the command itself
    }
    result.sandbox = judge(run, result);
    co_return result;
}

/// Nothing was started (spec BL-20, BX-9).
ShellResult BashSandbox::timed_out_before_start(const Call& call) {
    ShellResult result;
    result.timed_out = true;
    result.timeout = call.spec.timeout;
    result.duration = call.duration();
    result.sandbox = SandboxFacts{};
    result.sandbox->mode = call.policy.mode;
    return result;
}

/// Turns the spawn of the shell into that of the runner; null where the runner has no status
/// channel.
std::shared_ptr<StatusPipe> BashSandbox::prepare_runner(const ConfinedRun& run, SpawnSpec& spawn) {
    RunnerCall call;
    call.workdir = run.workdir;
    std::shared_ptr<StatusPipe> status;
    if (run.confined.status) {
        status = std::make_shared<StatusPipe>();
        status->map_into(spawn);
        call.status_fd = StatusPipe::kDescriptor;
    }
    spawn.argv = runner_argv(run.confined, call);
    spawn.env = runner_environment(run.confined, std::move(spawn.env));
    return status;
}

/// Turns the spawn of the shell into one that the subprocess service confines itself.
std::shared_ptr<StatusPipe> BashSandbox::prepare_child(ConfinedRun& run, SpawnSpec& spawn) {
    PreparedArgv& prepared = *run.confined.prepared;
    spawn.confinement = prepared.confinement;
    spawn.cwd = run.workdir;
    // As a runner does: the shell keeps the spelling where it names the same directory.
    spawn.env["PWD"] = run.workdir;
    run.confined.argv = std::move(prepared.argv);
    run.confined.status = std::move(prepared.status);
    run.confined.workdir.reset();

    RunnerCall call;
    std::shared_ptr<StatusPipe> status;
    if (run.confined.status) {
        status = std::make_shared<StatusPipe>();
        status->map_into(spawn);
        call.status_fd = StatusPipe::kDescriptor;
    }
    spawn.argv = runner_argv(run.confined, call);
    return status;
}

Task<ShellResult> BashSandbox::execute(
    std::shared_ptr<const Call> call, SpawnSpec spawn, std::shared_ptr<StatusPipe> status
) {
    const auto subprocess = context_.use<SubprocessService>();
    const std::shared_ptr<ProcessHandle> process = co_await subprocess->spawn(std::move(spawn));
    if (status) {
        status->close_write_end();
    }
    ShellResult result;
    std::optional<ExitStatus> exit;
    try {
        auto waiting = wait_for(process);
        exit = co_await with_timeout(std::move(waiting), call->remaining());
        result.timed_out = !exit.has_value();
    } catch (...) {
        if (!is_cancellation(std::current_exception())) {
            throw;
        }
        result.aborted = true;
    }
    if (!exit) {
        // The timeout or the cancellation has had its effect with the end of the process; what is
        // left is to fetch the result, with which the caller goes on.
        const auto anew = asio::enable_terminal_cancellation();
        co_await asio::this_coro::reset_cancellation_state(anew);
        process->terminate();
        exit = co_await process->wait();
    }
    result.exit = std::move(*exit);
    result.timeout = call->spec.timeout;
    result.duration = call->duration();
    result.stdout_output = process->stdout_output();
    result.stderr_output = process->stderr_output();
    co_return result;
}

}  // namespace cordon::bash_sandbox
