#include "verdict.hpp"

#include <cordon/base/text.hpp>
#include <cordon/sandbox/diagnostics.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include <string.h>

namespace cordon::bash_sandbox {
namespace {

std::string end_text(const ExitStatus& status) {
    return status.signal ? "killed by " + *status.signal
                         : fmt::format("exit status {}", status.exit_code.value_or(0));
}

/// The runner's own words on why it failed, as far as there are any.
std::string failure_detail(const ConfinedRun& run, const ShellResult& result) {
    const std::string& text = result.stderr_output.text;
    const auto match =
        classify_runner_failure(result.exit.exit_code, text, run.confined.runner_failure_rules);
    if (match) {
        return match->detail;
    }
    const std::vector<std::string_view> lines = split_lines(text);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!trim(*line).empty()) {
            return std::string{*line};
        }
    }
    if (!run.report->failed_step.empty()) {
        return fmt::format("{}: {}", run.report->failed_step, errno_text(run.report->error));
    }
    return fmt::format(
        "the runner ended before it confined the command ({})", end_text(result.exit)
    );
}

/// For a runner that reported, itself or by its silence, that the command was not started.
[[noreturn]] void throw_not_started(const ConfinedRun& run, const ShellResult& result) {
    const RunnerReport& report = *run.report;
    if (report.failed_step == "chdir") {
        throw Error{
            fmt::format(
                "working directory cannot be entered in the sandbox: {}: {}",
                run.workdir,
                errno_text(report.error)
            ),
            "SPAWN_FAILED"};
    }
    if (report.confined && report.failed_step == "exec") {
        throw SpawnError{"exec", run.program, report.error};
    }
    throw SandboxUnavailableError{run.mode, failure_detail(run, result)};
}

std::vector<std::string> denial_evidence(const ConfinedArgv& confined, const ShellResult& result) {
    std::vector<std::string> evidence;
    for (const std::string_view line : split_lines(result.stderr_output.text)) {
        if (matches_signature(result.exit.exit_code, line, confined.denial_signatures)) {
            evidence.emplace_back(line);
        }
    }
    return evidence;
}

}  // namespace

SandboxFacts judge(const ConfinedRun& run, const ShellResult& result) {
    SandboxFacts facts;
    facts.mode = widen(run.mode);
    if (run.report && !run.report->started()) {
        if (result.timed_out || result.aborted) {
            return facts;  // ended before there was anything to confine
        }
        throw_not_started(run, result);
    }
    if (!run.report) {
        const auto match = classify_runner_failure(
            result.exit.exit_code, result.stderr_output.text, run.confined.runner_failure_rules
        );
        if (match) {
            throw SandboxUnavailableError{run.mode, match->detail};
        }
    }
    facts.enforcement = run.confined.enforcement;
    facts.backend = run.confined.backend;
    facts.reasons = run.confined.reasons;
    facts.denied = matches_signature(
        result.exit.exit_code, result.stderr_output.text, run.confined.denial_signatures
    );
    facts.evidence = denial_evidence(run.confined, result);
    return facts;
}

void throw_start_failure(const ConfinedRun& run, const SpawnError& failure) {
    if (failure.origin() == SpawnError::Origin::confinement) {
        throw SandboxUnavailableError{run.mode, failure.message()};
    }
    const char* code = strerrorname_np(failure.error());
    if (failure.step() == "exec" && code != nullptr) {
        const SpawnFailure spawn{code, "spawn " + failure.subject(), failure.subject()};
        if (is_runner_spawn_failure(spawn, run.confined.argv.front(), run.workdir)) {
            throw SandboxUnavailableError{run.mode, failure.message()};
        }
    }
    throw failure;
}

}  // namespace cordon::bash_sandbox
