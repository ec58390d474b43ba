#include "bash_program.hpp"

#include <cordon/base/error.hpp>
#include <cordon/process/program.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace cordon::bash_sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnavailable = "SHELL_UNAVAILABLE";

bool is_below(const fs::path& file, const fs::path& folder) {
    const auto [in_folder, in_file] =
        std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return in_folder == folder.end();
}

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
    const fs::path root = canonical_path(workspace_root);
    for (const fs::path& candidate : candidates) {
        const bool is_in_workspace = is_below(candidate, root) ||
                                     is_below(candidate, workspace_root) ||
                                     is_below(canonical_path(candidate.string()), root);
        if (root.empty() || root == "/" || !is_in_workspace) {
            return candidate.string();
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
