#include "config.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace cordon::sandbox_local {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
    throw Error{"sandbox-local: " + problem, "INVALID_CONFIG"};
}

/// Words of the contract (spec LP-2).
void check_runner(const Config& config) {
    const bool has_command = !config.runner_command.empty();
    const std::vector<std::string>& signatures = config.runner_failure_signatures;
    if (!has_command && !signatures.empty()) {
        refuse("runnerFailureSignatures requires runnerCommand");
    }
    if (has_command && signatures.empty()) {
        refuse("runnerCommand requires at least one runnerFailureSignatures entry");
    }
    for (const std::string& signature : signatures) {
        if (trim(signature).empty() || signature.find_first_of("\r\n") != std::string::npos) {
            refuse("runnerFailureSignatures entries must be non-empty single-line strings");
        }
    }
}

void check_choice(
    const char* key, std::string_view value, std::initializer_list<std::string_view> choices
) {
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
        refuse(fmt::format("{} must be one of {}; found '{}'", key, fmt::join(choices, ", "), value)
        );
    }
}

void check_chain(const std::vector<std::string>& chain) {
    if (chain.empty()) {
        refuse("chain must name at least one of native, bwrap, landlock");
    }
    for (auto name = chain.begin(); name != chain.end(); ++name) {
        check_choice("chain", *name, {"native", "bwrap", "landlock"});
        if (std::find(chain.begin(), name, *name) != name) {
            refuse("chain must name each backend once; found twice: " + *name);
        }
    }
}

}  // namespace

void check(const Config& config) {
    constexpr std::int64_t kLongest = 2147483647;  // milliseconds (spec TM-1)
    check_runner(config);
    if (config.probe_timeout.count() <= 0 || config.probe_timeout.count() > kLongest) {
        refuse("probeTimeoutMs must be a positive finite number");
    }
    if (config.bwrap && !config.bwrap->starts_with('/')) {
        refuse("bwrap must be an absolute path: " + *config.bwrap);
    }
    check_chain(config.chain);
    check_choice("containment", config.containment, {"processes", "files"});
    check_choice("network", config.network, {"host", "none"});
    check_choice("temporary", config.temporary, {"call", "session"});
    for (const std::string& root : config.writable_roots) {
        if (!root.starts_with('/')) {
            refuse("writableRoots must be absolute paths: " + root);
        }
    }
    for (const std::string& path : config.read_only_paths) {
        if (path.empty()) {
            refuse("readOnlyPaths must not be empty");
        }
    }
    if (!config.runner_command.empty() && config.network == "none") {
        refuse("network: none cannot be asked of a runnerCommand");
    }
}

Containment containment_of(const Config& config) {
    return {config.containment == "processes", config.network == "host"};
}

Places places_of(const Config& config) {
    return {config.writable_roots, config.read_only_paths, config.git_worktrees};
}

}  // namespace cordon::sandbox_local
