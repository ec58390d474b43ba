#include "workspace.hpp"

#include "program_lookup.hpp"

#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <cerrno>

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
