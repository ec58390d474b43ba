#include "runner_backend.hpp"

#include <cordon/base/text.hpp>

#include <utility>

namespace cordon::sandbox_local {

RunnerBackend::RunnerBackend(
    std::vector<std::string> command, std::vector<std::string> failure_signatures
)
    : command_(std::move(command)), failure_signatures_(std::move(failure_signatures)) {}

std::optional<std::string> RunnerBackend::obstacle(const ConfinementRequest& request) const {
    if (!request.temporary.empty()) {
        return "runnerCommand: a temporary folder of the session needs the native backend";
    }
    return std::nullopt;
}

ConfinedArgv RunnerBackend::wrap(
    const ConfinementRequest& request, const std::vector<std::string>& command
) const {
    ConfinedArgv confined;
    std::vector<std::string>& argv = confined.argv;
    const auto append = [&argv](std::vector<std::string> words) {
        argv.insert(argv.end(), words.begin(), words.end());
    };
    argv = command_;
    append({"--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc"});
    append({"--die-with-parent"});
    if (request.mode == ConfinedSandboxMode::workspace_write) {
        append({"--tmpfs", "/tmp", "--bind", request.workspace, request.workspace});
        for (const std::string& root : request.writable_roots) {
            append({"--bind", root, root});
        }
        for (const std::string& path : request.read_only_paths) {
            append({"--ro-bind", path, path});
        }
    }
    append({"--"});
    append(command);
    confined.enforcement = SandboxEnforcement::full;
    confined.denial_signatures = {"read-only file system", "permission denied"};
    confined.runner_failure_rules = {RunnerFailureRule{std::nullopt, failure_signatures_, {}}};
    confined.backend = name();
    return confined;
}

Task<Verdict> RunnerBackend::probe() {
    Verdict verdict;
    verdict.usable = true;
    co_return verdict;
}

std::vector<std::string> RunnerBackend::facts() const {
    return {"runner: " + shell_join(command_), "not probed: the operator answers for it"};
}

}  // namespace cordon::sandbox_local
