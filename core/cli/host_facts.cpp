#include "host_facts.hpp"

#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace cordon::cli {
namespace {

/// LANDLOCK_CREATE_RULESET_VERSION, Linux 5.13, landlock_create_ruleset(2).
constexpr unsigned kLandlockVersionQuery = 1U << 0U;

std::string first_line(const std::filesystem::path& file) {
    std::ifstream stream{file};
    std::string line;
    std::getline(stream, line);
    return line;
}

/// By the system call, because the file that lists security modules is often missing (field-30).
std::string landlock_fact() {
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, kLandlockVersionQuery);
    return version < 0 ? "not available: " + errno_text(errno) : fmt::format("ABI {}", version);
}

std::string user_namespace_fact() {
    if (first_line("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1") {
        return "restricted by AppArmor for programs without a profile (sysctl "
               "kernel.apparmor_restrict_unprivileged_userns)";
    }
    if (first_line("/proc/sys/kernel/unprivileged_userns_clone") == "0") {
        return "off for ordinary users (sysctl kernel.unprivileged_userns_clone)";
    }
    const std::string limit = first_line("/proc/sys/user/max_user_namespaces");
    return limit == "0" ? "off (sysctl user.max_user_namespaces is 0)" : "allowed";
}

bool is_writable_by_others(const std::filesystem::path& folder) {
    struct stat status {};

    if (::stat(folder.c_str(), &status) != 0) {
        return false;
    }
    const bool trusted_owner = status.st_uid == 0 || status.st_uid == ::geteuid();
    return !trusted_owner || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> kernel_facts() {
    utsname system{};
    ::uname(&system);
    return {
        {"kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
        {"landlock", landlock_fact()},
        {"user namespaces", user_namespace_fact()},
        {"user", fmt::format("uid {}", ::geteuid())}};
}

std::vector<std::string> risky_settings(
    const ComposedDeployment& deployment, const std::optional<std::string>& workspace
) {
    std::vector<std::string> risks;
    if (::geteuid() == 0) {
        risks.emplace_back("Cordon runs as root; an ordinary user has less to lose");
    }
    const std::string root = workspace ? canonical_path(*workspace) : std::string{};
    if (root == "/") {
        risks.emplace_back("the workspace is /, which workspace-write refuses");
    }
    const char* home =
        std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    if (home != nullptr && !root.empty() && is_within(canonical_path(home), root)) {
        risks.emplace_back(
            "the workspace holds the home directory, so credentials and start-up files are writable"
        );
    }
    for (const std::filesystem::path& folder : deployment.plugin_path) {
        if (is_writable_by_others(folder)) {
            risks.push_back(fmt::format("others may write to the plugin folder {}", folder.string())
            );
        }
        if (!root.empty() && is_within(canonical_path(folder), root)) {
            risks.push_back(
                fmt::format("the plugin folder {} lies in the workspace", folder.string())
            );
        }
    }
    return risks;
}

const std::vector<std::string>& uncovered_effects() {
    static const std::vector<std::string> kEffects{
        "reading: every mode may read what its user may read",
        "the network, and path sockets of host services (D-Bus, docker, ssh-agent)",
        "files left in the workspace that the host runs later (git hooks, build scripts)",
        "hard links in the workspace that existed before, to files outside it"};
    return kEffects;
}

}  // namespace cordon::cli
