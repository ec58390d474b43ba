#include "workspace.hpp"

#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <sys/stat.h>

namespace cordon::sandbox_local {
namespace {

Error invalid(std::string_view problem, std::string_view path) {
    return Error{fmt::format("sandbox-local: {}: {}", problem, path), "INVALID_POLICY"};
}

/// Places that hold no files of anybody. `/dev/shm` is an ordinary temporary directory.
bool is_of_the_kernel(const std::string& path) {
    return is_within(path, "/proc") || is_within(path, "/sys") ||
           (is_within(path, "/dev") && !is_within(path, "/dev/shm"));
}

/// `\040` of /proc/self/mountinfo is a blank, and so on.
std::string unescape(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            const auto digit = [&](std::size_t at) {
                return text[i + at] - '0';
            };
            plain += static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// File systems whose files are switches of the kernel, wherever they are mounted.
bool is_kernel_file_system(std::string_view type) {
    constexpr std::string_view kTypes[] = {
        "proc",
        "sysfs",
        "cgroup",
        "cgroup2",
        "debugfs",
        "tracefs",
        "securityfs",
        "bpf",
        "configfs",
        "efivarfs",
        "pstore",
        "mqueue",
        "devtmpfs",
        "devpts",
        "fusectl",
        "selinuxfs",
        "binfmt_misc",
        "rpc_pipefs",
        "nfsd"};
    return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

/// Where such a file system is mounted below `folder`; empty where none is. Whatever is mounted in
/// a workspace is as writable as the workspace.
std::string kernel_mount_below(const std::string& folder) {
    std::ifstream mounts{"/proc/self/mountinfo"};
    std::string line;
    while (std::getline(mounts, line)) {
        // id parent device root MOUNT-POINT options [tags...] - TYPE source options
        std::istringstream words{line};
        std::string word;
        std::string point;
        for (int i = 0; i < 5 && words >> point; ++i) {}
        while (words >> word && word != "-") {}
        std::string type;
        words >> type;
        std::string path = unescape(point);
        if (is_kernel_file_system(type) && is_within(path, folder)) {
            return path;
        }
    }
    return {};
}

void check(const std::string& spelled, const std::string& canonical) {
    struct stat status {};

    if (::stat(canonical.c_str(), &status) != 0) {
        if (errno == ENOENT) {
            throw invalid("workspace does not exist", spelled);
        }
        throw invalid("workspace cannot be reached: " + errno_text(errno), spelled);
    }
    if (!S_ISDIR(status.st_mode)) {
        throw invalid("workspace is not a directory", spelled);
    }
    if (canonical == "/") {
        throw invalid(
            "workspace-write needs a workspace that leaves something outside; name a directory or "
            "use danger-full-access",
            spelled
        );
    }
    if (is_of_the_kernel(canonical)) {
        throw invalid(
            "workspace is in a file system of the kernel; name a directory of files", spelled
        );
    }
    if (const std::string mount = kernel_mount_below(canonical); !mount.empty()) {
        throw invalid(
            fmt::format(
                "a file system of the kernel is mounted in the workspace, at {}; unmount it, or "
                "name "
                "another workspace",
                mount
            ),
            spelled
        );
    }
}

}  // namespace

std::string resolve_workspace(const SandboxPolicy& policy) {
    if (policy.mode != ConfinedSandboxMode::workspace_write) {
        return canonical_path(policy.workspace_root);
    }
    if (!policy.workspace_root.starts_with('/')) {
        throw invalid("workspace must be an absolute path", policy.workspace_root);
    }
    std::string canonical = canonical_path(policy.workspace_root);
    check(policy.workspace_root, canonical);
    return canonical;
}

std::string workspace_warning(const std::string& canonical, const std::string& home) {
    if (home.empty() || !is_within(canonical_path(home), canonical)) {
        return {};
    }
    return fmt::format(
        "the workspace {} contains your home directory: commands can change what runs when you log "
        "in, and the settings and records of this program",
        canonical
    );
}

}  // namespace cordon::sandbox_local
