#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cordon {

/// A name in a folder whose appearance, change or end may change what a path leads to.
struct WatchedName {
    std::filesystem::path folder;
    std::string name;

    friend auto operator<=>(const WatchedName&, const WatchedName&) = default;
};

/// What has to be watched to learn of every change of the file at `path`, which need not exist: the
/// name in its folder, that of every link on the way, and, where folders are missing, the first
/// missing one. In the order of the way. Blocks on the file system. Private to the room.
[[nodiscard]] std::vector<WatchedName> names_on_the_way(const std::filesystem::path& path);

/// Whether a link or folder on the way to `path`, or the file itself, lies within `root`: whoever
/// may write there can change what the path leads to. `root` is compared as the file system has it.
[[nodiscard]] bool is_reached_through(
    const std::filesystem::path& path, const std::filesystem::path& root
);

}  // namespace cordon
