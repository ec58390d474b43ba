#include "probe_run.hpp"

#include <cordon/async/timeout.hpp>
#include <cordon/base/text.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/runner_argv.hpp>
#include <cordon/sandbox/runner_status.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace cordon::sandbox_local {
namespace {

constexpr int kStatusFd = 3;
constexpr std::size_t kKeptStderr = 4096;

SpawnSpec probe_spec(const ConfinedArgv& confined, int status_fd) {
    SpawnSpec spec;
    spec.argv = runner_argv(confined, RunnerCall{kStatusFd, "/"});
    spec.cwd = "/";
    spec.env = runner_environment(confined, {});
    spec.stdout_mode = DiscardOutput{};
    spec.stderr_mode = CollectOutput{kKeptStderr, nullptr};
    spec.descriptors = {{kStatusFd, status_fd}};
    return spec;
}

/// What is in the pipe of a process that has ended. Does not wait: something it left behind may
/// hold the other end.
std::string read_report(const UniqueFd& pipe) {
    char buffer[256];
    static_cast<void>(::fcntl(pipe.get(), F_SETFL, O_NONBLOCK));
    const ssize_t size = ::read(pipe.get(), buffer, sizeof buffer);
    return std::string(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
}

std::string describe_end(const ExitStatus& status, const std::string& stderr_text) {
    std::string text{trim(stderr_text)};
    if (!text.empty()) {
        return text;
    }
    return status.signal ? "ended by " + *status.signal
                         : fmt::format("ended with exit code {}", status.exit_code.value_or(-1));
}

Verdict judge(const ExitStatus& status, const std::string& report, const std::string& stderr_text) {
    Verdict verdict;
    verdict.usable = status.exit_code == 0 && parse_runner_report(report).confined;
    if (!verdict.usable) {
        verdict.why_not = status.exit_code == 0
                              ? "the runner ended without having confined anything"
                              : describe_end(status, stderr_text);
    }
    return verdict;
}

Task<Verdict> run_to_its_end(SubprocessService& subprocess, ConfinedArgv confined) {
    try {
        Pipe pipe = make_pipe();
        SpawnSpec spec = probe_spec(confined, pipe.write.get());
        const std::unique_ptr<ProcessHandle> process = co_await subprocess.spawn(std::move(spec));
        pipe.write.reset();
        const ExitStatus status = co_await process->wait();
        co_return judge(status, read_report(pipe.read), process->stderr_output().text);
    } catch (const Error& error) {
        Verdict verdict;
        verdict.why_not = error.message();
        co_return verdict;
    }
}

}  // namespace

Task<Verdict> run_probe(
    SubprocessService& subprocess, ConfinedArgv confined, std::chrono::milliseconds timeout
) {
    Task<Verdict> run = run_to_its_end(subprocess, std::move(confined));
    std::optional<Verdict> verdict = co_await with_timeout(std::move(run), timeout);
    if (!verdict) {
        verdict.emplace();
        verdict->why_not = fmt::format("no answer within {} ms", timeout.count());
    }
    co_return std::move(*verdict);
}

}  // namespace cordon::sandbox_local
