#pragma once

#include <map>
#include <mutex>
#include <string>

namespace cordon::sandbox_local {

/// Folders that stand in for `/tmp`, one per session, for as long as the provider lives. They lie
/// in a folder that only we can enter, so that other users reach none of it.
///
/// Threads: any.
class SessionFolders {
public:
    SessionFolders() = default;

    /// Removes everything.
    ~SessionFolders();

    SessionFolders(const SessionFolders&) = delete;
    SessionFolders& operator=(const SessionFolders&) = delete;

    /// Made at the first call. Blocks on the file system. Errors: code `SYSTEM_ERROR`.
    [[nodiscard]] std::string folder_of(const std::string& session_id);

private:
    std::mutex mutex_;
    std::string parent_;
    std::map<std::string, std::string> folders_;
};

}  // namespace cordon::sandbox_local
