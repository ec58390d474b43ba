#include "bash_program.hpp"

#include <cordon/base/error.hpp>
#include <cordon/process/program.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace cordon::bash_sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnavailable = "SHELL_UNAVAILABLE";

}  // namespace

std::vector<fs::path> find_bash() {
    const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    auto candidates = find_programs("bash", path != nullptr ? path : kDefaultPath);
    if (candidates.empty()) {
        throw Error{
            "bash-sandbox: expected bash in an absolute folder of PATH, found none; install bash "
            "or add its folder to PATH",
            kUnavailable};
    }
    return candidates;
}

std::string choose_bash(
    const std::vector<fs::path>& candidates, const std::string& workspace_root
) {
    const std::string root = canonical_path(workspace_root);
    for (const fs::path& candidate : candidates) {
        const std::string file = candidate.string();
        const bool is_in_workspace = is_within(file, root) || is_within(file, workspace_root) ||
                                     is_within(canonical_path(file), root);
        if (root.empty() || root == "/" || !is_in_workspace) {
            return file;
        }
    }
    throw Error{
        fmt::format(
            "bash-sandbox: expected bash outside the workspace {}, found only {}; add a folder "
            "outside the workspace to PATH",
            workspace_root,
            candidates.front().string()
        ),
        kUnavailable};
}

}  // namespace cordon::bash_sandbox
