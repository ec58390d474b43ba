#pragma once

#include <cordon/async/completion.hpp>
#include <cordon/async/task.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/file_watcher.hpp>
#include <cordon/loader/tree.hpp>
#include <cordon/runtime/composition.hpp>
#include <cordon/runtime/watch_options.hpp>

#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cordon {

/// Has a tree follow its files: the layers of its composition, the files that it includes, the
/// libraries of its plugins. Private to the room.
///
/// Lifetime: `stop()` must have completed before destruction. Threads: strand only.
class Follower {
public:
    Follower(
        Context root,
        std::shared_ptr<EntryTree> tree,
        CompositionOptions options,
        ComposedDeployment deployment,
        WatchOptions watch
    );

    /// Errors: `SYSTEM_ERROR` where nothing can be watched.
    void start();

    /// Drops what has not begun and waits for the change that is being taken over (spec HMR-11,
    /// DIF-L10).
    [[nodiscard]] Task<> stop();

    /// Waits until every change that has been told so far has been taken over or refused.
    [[nodiscard]] Task<> caught_up();

    [[nodiscard]] const FileWatcher& watcher() const noexcept { return watcher_; }

private:
    using Files = FileWatcher::Files;

    [[nodiscard]] bool is_frozen(const std::filesystem::path& file) const;
    [[nodiscard]] Files followed() const;
    void want(const ComposedDeployment& next);
    void watch_again();
    void learn_roots();
    void on_change(const Files& changed);
    Task<> work();
    Task<> take_over(Files changed);
    Task<> let_writers_end(Files changed);
    [[nodiscard]] Task<ComposedDeployment> read_whole_files();
    Task<> take_over_composition(Files changed);
    Task<> take_over_include(std::filesystem::path file);
    Task<> take_over_plugins(Files changed);
    Task<> report(Files files, std::exception_ptr failure);

    Context root_;
    std::shared_ptr<EntryTree> tree_;
    CompositionOptions options_;
    ComposedDeployment deployment_;
    WatchOptions watch_;
    std::vector<std::filesystem::path> writable_roots_;
    /// Of whom it has been said that they are not followed.
    std::set<std::filesystem::path> told_;
    Files watched_;
    Files changed_;
    /// Libraries that could not be taken over, tried again with the next change (spec HMR-18).
    Files stale_;
    /// Where the plugins of the composition as it was read last are looked for; one that appears
    /// there may be what was missing.
    Files candidates_;
    /// The last reading of the composition could not be taken over; tried again with any change.
    bool is_behind_ = false;
    /// The last failure of each file, which is not told again.
    std::map<std::filesystem::path, std::string> reported_;
    bool is_working_ = false;
    Completion idle_;
    FileWatcher watcher_;
    TaskGroup tasks_;
};

}  // namespace cordon
