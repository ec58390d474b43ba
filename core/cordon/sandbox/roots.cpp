#include <cordon/sandbox/roots.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <stdlib.h>

namespace cordon {
namespace {

/// Read at each call, because the contract says so (spec SB-50). An empty variable counts as unset.
std::string temporary_directory() {
    for (const char* name : {"TMPDIR", "TMP", "TEMP"}) {
        const char* value = ::getenv(name);
        if (value == nullptr || *value == '\0') {
            continue;
        }
        std::string path{value};
        if (path.size() > 1 && path.back() == '/') {
            path.pop_back();
        }
        return path;
    }
    return "/tmp";
}

}  // namespace

std::string canonical_path(const std::string& path) {
    // std::filesystem::canonical would do, but it makes a relative or empty path an absolute one.
    const std::unique_ptr<char, decltype(&::free)> resolved{
        ::realpath(path.c_str(), nullptr), &::free};
    return resolved ? std::string{resolved.get()} : path;
}

bool is_within(std::string_view path, std::string_view directory) {
    if (directory == "/" || path == directory) {
        return true;
    }
    return path.size() > directory.size() && path.starts_with(directory) &&
           path[directory.size()] == '/';
}

std::vector<std::string> writable_roots(const SandboxExecutionPolicy& policy) {
    std::vector<std::string> roots;
    if (policy.mode != SandboxMode::workspace_write) {
        return roots;
    }
    for (const std::string& spelled :
         std::array{policy.workspace_root, std::string{"/tmp"}, temporary_directory()}) {
        std::string root = canonical_path(spelled);
        if (std::find(roots.begin(), roots.end(), root) == roots.end()) {
            roots.push_back(std::move(root));
        }
    }
    return roots;
}

}  // namespace cordon
