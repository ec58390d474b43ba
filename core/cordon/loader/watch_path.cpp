#include <cordon/loader/watch_path.hpp>

#include <algorithm>
#include <deque>
#include <system_error>
#include <utility>

namespace cordon {
namespace {

namespace fs = std::filesystem;

/// As many as the kernel follows.
constexpr int kMostLinks = 40;

std::deque<fs::path> parts_of(const fs::path& path) {
    const fs::path relative = path.relative_path();
    return {relative.begin(), relative.end()};
}

bool is_within(const fs::path& path, const fs::path& root) {
    const auto [end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return end == root.end();
}

}  // namespace

std::vector<WatchedName> names_on_the_way(const fs::path& path) {
    std::vector<WatchedName> names;
    std::deque<fs::path> rest = parts_of(fs::absolute(path).lexically_normal());
    fs::path at = "/";
    int links = 0;
    while (!rest.empty()) {
        const fs::path part = rest.front();
        rest.pop_front();
        if (part.empty() || part == ".") {
            continue;
        }
        if (part == "..") {
            at = at.parent_path();
            continue;
        }
        std::error_code failed;
        const fs::path next = at / part;
        const fs::file_status status = fs::symlink_status(next, failed);
        const bool is_link = status.type() == fs::file_type::symlink;
        if (is_link || rest.empty() || !fs::exists(status)) {
            names.push_back(WatchedName{at, part.string()});
        }
        if (!fs::exists(status)) {
            break;
        }
        if (!is_link) {
            at = next;
            continue;
        }
        const fs::path target = fs::read_symlink(next, failed);
        if (failed || ++links > kMostLinks) {
            break;
        }
        std::deque<fs::path> way = parts_of(target);
        rest.insert(rest.begin(), way.begin(), way.end());
        if (target.is_absolute()) {
            at = "/";
        }
    }
    return names;
}

bool is_reached_through(const fs::path& path, const fs::path& root) {
    std::error_code failed;
    const fs::path real_root = fs::weakly_canonical(root, failed);
    const std::vector<WatchedName> names = names_on_the_way(path);
    return !failed && std::any_of(names.begin(), names.end(), [&](const WatchedName& watched) {
        return is_within(watched.folder, real_root);
    });
}

}  // namespace cordon
