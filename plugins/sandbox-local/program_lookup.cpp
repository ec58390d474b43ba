#include "program_lookup.hpp"

#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace cordon::sandbox_local {
namespace {

/// Why `path`, a program or a folder above it, could be changed by somebody else.
std::optional<std::string> mistrust(
    const std::string& path, const struct stat& status, uid_t owner
) {
    if (status.st_uid != 0 && status.st_uid != ::geteuid() && status.st_uid != owner) {
        return fmt::format("'{}' belongs to uid {}", path, status.st_uid);
    }
    // Others may add files to a sticky folder, but not replace what is not theirs.
    const bool is_sticky_folder = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !is_sticky_folder) {
        return fmt::format("'{}' can be written by its group or by everybody", path);
    }
    return std::nullopt;
}

std::string parent_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::optional<std::string> unfit(const struct stat& status, const std::string& path) {
    if (!S_ISREG(status.st_mode) || ::access(path.c_str(), X_OK) != 0) {
        return fmt::format("'{}' is not an executable file", path);
    }
    if ((status.st_mode & S_ISUID) != 0) {
        return fmt::format("'{}' is set-uid, which the profile cannot be used with", path);
    }
    return std::nullopt;
}

/// `owner`: trusted beside root and ourselves.
void examine(const std::string& spelled, uid_t owner, ProgramSearch& search) {
    struct stat status {};

    if (::stat(spelled.c_str(), &status) != 0) {
        return;
    }
    const std::string path = canonical_path(spelled);
    std::optional<std::string> reason = unfit(status, path);
    bool replaceable = ::geteuid() == 0;
    for (std::string part = path; !reason; part = parent_of(part)) {
        if (::lstat(part.c_str(), &status) != 0) {
            reason = fmt::format("'{}' cannot be examined", part);
            break;
        }
        reason = mistrust(part, status, owner);
        replaceable = replaceable || status.st_uid == ::geteuid();
        if (part == "/") {
            break;
        }
    }
    if (reason) {
        search.refused.push_back({spelled, std::move(*reason)});
        return;
    }
    const bool is_known =
        std::any_of(search.trusted.begin(), search.trusted.end(), [&](const TrustedProgram& known) {
            return known.path == path;
        });
    if (!is_known) {
        search.trusted.push_back({path, replaceable});
    }
}

ProgramSearch examine_owned(const std::string& path, uid_t owner) {
    ProgramSearch search;
    examine(path, owner, search);
    if (search.trusted.empty() && search.refused.empty()) {
        search.refused.push_back({path, fmt::format("'{}' does not exist", path)});
    }
    return search;
}

}  // namespace

ProgramSearch find_program(std::string_view name, std::string_view search_path) {
    ProgramSearch search;
    while (!search_path.empty()) {
        const std::string_view folder = search_path.substr(0, search_path.find(':'));
        search_path.remove_prefix(std::min(folder.size() + 1, search_path.size()));
        if (folder.starts_with('/')) {
            examine(fmt::format("{}/{}", folder, name), 0, search);
        }
    }
    return search;
}

ProgramSearch examine_program(const std::string& path) {
    return examine_owned(path, 0);
}

ProgramSearch examine_own_program(const std::string& path, const std::string& library) {
    struct stat status {};

    return examine_owned(path, ::stat(library.c_str(), &status) == 0 ? status.st_uid : 0);
}

}  // namespace cordon::sandbox_local
