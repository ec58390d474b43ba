#include "session_folders.hpp"

#include <cordon/base/error.hpp>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <stdlib.h>
#include <sys/stat.h>

namespace cordon::sandbox_local {

SessionFolders::~SessionFolders() {
    if (!parent_.empty()) {
        std::error_code ignored;  // what is left behind is in a private folder
        std::filesystem::remove_all(parent_, ignored);
    }
}

std::string SessionFolders::folder_of(const std::string& session_id) {
    const std::lock_guard lock{mutex_};
    const auto known = folders_.find(session_id);
    if (known != folders_.end()) {
        return known->second;
    }
    if (parent_.empty()) {
        std::string name = "/var/tmp/cordon-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) {
            throw system_error("mkdtemp", name, errno);
        }
        parent_ = std::filesystem::canonical(name).string();
    }
    // Not the session's own name, which is somebody else's text.
    std::string folder = parent_ + "/" + std::to_string(folders_.size() + 1);
    if (::mkdir(folder.c_str(), 0700) != 0 || ::chmod(folder.c_str(), 01777) != 0) {
        throw system_error("mkdir", folder, errno);
    }
    folders_.emplace(session_id, folder);
    return folder;
}

}  // namespace cordon::sandbox_local
