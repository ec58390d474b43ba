#include "git_worktree.hpp"

#include <cordon/base/text.hpp>
#include <cordon/sandbox/roots.hpp>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace cordon::sandbox_local {
namespace {

namespace fs = std::filesystem;

/// Without the newline; empty where the file cannot be read. Paths longer than a line of this size
/// are not git's.
std::string first_line(const fs::path& file) {
    constexpr std::size_t kLongest = 8192;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
        return {};
    }
    std::string line(kLongest, '\0');
    std::ifstream stream{file, std::ios::binary};
    stream.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(stream.gcount()));
    return line.substr(0, line.find('\n'));
}

/// The canonical path; empty where there is nothing.
std::string existing(const fs::path& path) {
    std::error_code missing;
    const fs::path canonical = fs::canonical(path, missing);
    return missing ? std::string{} : canonical.string();
}

}  // namespace

std::optional<LinkedWorktree> find_linked_worktree(const std::string& workspace) {
    constexpr std::string_view kPrefix = "gitdir: ";
    const fs::path root{workspace};
    const std::string line = first_line(root / ".git");
    if (!line.starts_with(kPrefix)) {
        return std::nullopt;
    }
    const fs::path folder{existing(root / line.substr(kPrefix.size()))};
    const std::string back = existing(first_line(folder / "gitdir"));
    // Only where git itself puts it: the common directory that a file there names could have been
    // written by an earlier command.
    const fs::path repository = folder.parent_path().parent_path();
    const bool is_ours = back == (root / ".git").string() &&
                         folder.parent_path().filename() == "worktrees" &&
                         repository.has_relative_path() && !is_within(folder.string(), workspace) &&
                         fs::exists(repository / "HEAD");
    if (!is_ours) {
        return std::nullopt;
    }
    LinkedWorktree worktree;
    worktree.repository = repository.string();
    worktree.executed = {repository / "hooks", repository / "config"};
    for (const fs::path& path : {repository / "info", folder / "config.worktree"}) {
        if (!existing(path).empty()) {
            worktree.executed.push_back(path);
        }
    }
    return worktree;
}

}  // namespace cordon::sandbox_local
