#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/base/unique_fd.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace cordon {

/// Tells of changes of single files, whether they exist or not: written, replaced by a rename,
/// removed, created, reached by another link. Changes are collected until none has come for a while
/// and then told together. What is there at the start is not told (spec HMR-2).
///
/// Threads: strand only, which is that of `executor`.
class CORDON_API FileWatcher {
public:
    struct Options {
        /// How long nothing must have changed; a stream of changes is told after ten times as long
        /// (spec HMR-14).
        std::chrono::milliseconds debounce{100};
        /// Told where folders cannot be watched any more; changes that are known are told still.
        std::function<void(const std::exception_ptr& failure)> on_failure;
    };

    using Files = std::set<std::filesystem::path>;
    /// The changed ones, as they were given to `watch()`.
    using OnChange = std::function<void(const Files& changed)>;

    /// Errors: `SYSTEM_ERROR` where the system has no watches left, with what to do.
    FileWatcher(const boost::asio::any_io_executor& executor, Options options, OnChange on_change);
    ~FileWatcher();

    FileWatcher(const FileWatcher&) = delete;
    FileWatcher& operator=(const FileWatcher&) = delete;

    /// Watches exactly these from now on. Blocks for a few calls per file.
    ///
    /// Errors: as the constructor.
    void watch(const Files& files);

    /// Folders that are watched for the files.
    [[nodiscard]] std::size_t folder_count() const;

    /// Tells nothing from now on.
    void stop();

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace cordon
