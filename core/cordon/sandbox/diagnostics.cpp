#include <cordon/base/text.hpp>
#include <cordon/sandbox/diagnostics.hpp>

#include <algorithm>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace cordon {
namespace {

bool can_be_entered(const std::string& directory) {
    struct stat status {};

    return ::stat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
           ::access(directory.c_str(), X_OK) == 0;
}

bool is_failure(std::optional<int> exit_code) {
    return exit_code && *exit_code != 0;
}

bool contains_any(const std::string& lowered, std::span<const std::string> signatures) {
    return std::any_of(signatures.begin(), signatures.end(), [&](const std::string& signature) {
        return !trim(signature).empty() && lowered.find(to_lower(signature)) != std::string::npos;
    });
}

bool is_informational(const std::string& lowered, const RunnerFailureRule& rule) {
    const auto& known = rule.informational_lines;
    return std::any_of(known.begin(), known.end(), [&](const std::string& line) {
        return to_lower(line) == lowered;
    });
}

bool allows(const RunnerFailureRule& rule, int exit_code) {
    const auto& codes = rule.allowed_exit_codes;
    return !codes || std::find(codes->begin(), codes->end(), exit_code) != codes->end();
}

}  // namespace

bool is_runner_spawn_failure(
    const SpawnFailure& failure,
    const std::optional<std::string>& runner_program,
    const std::string& workdir
) {
    if (!runner_program || !can_be_entered(workdir)) {
        return false;
    }
    if (failure.code != "ENOENT" && failure.code != "EACCES") {
        return false;
    }
    const std::string exact = "spawn " + *runner_program;
    if (!failure.path) {
        return failure.syscall == exact;
    }
    if (failure.path->empty() || *failure.path != *runner_program) {
        return false;
    }
    return failure.syscall == "spawn" || failure.syscall == exact;
}

std::optional<RunnerFailureMatch> classify_runner_failure(
    std::optional<int> exit_code,
    std::string_view stderr_text,
    std::span<const RunnerFailureRule> rules
) {
    if (!is_failure(exit_code)) {
        return std::nullopt;
    }
    const auto lines = split_lines(stderr_text);
    for (const RunnerFailureRule& rule : rules) {
        if (!allows(rule, *exit_code)) {
            continue;
        }
        for (const std::string_view line : lines) {
            const std::string lowered = to_lower(line);
            if (!is_informational(lowered, rule) && contains_any(lowered, rule.fatal_signatures)) {
                return RunnerFailureMatch{std::string{line}};
            }
        }
    }
    return std::nullopt;
}

bool matches_signature(
    std::optional<int> exit_code,
    std::string_view stderr_text,
    std::span<const std::string> signatures
) {
    return is_failure(exit_code) && contains_any(to_lower(stderr_text), signatures);
}

}  // namespace cordon
