#include <cordon/base/error.hpp>
#include <cordon/loader/file_watcher.hpp>
#include <cordon/loader/watch_path.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <sys/inotify.h>
#include <unistd.h>

namespace cordon {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr int kLongestWait = 10;
/// Folders appear while they are looked for; this often at most.
constexpr int kMostPasses = 5;
constexpr std::size_t kBufferSize = 16384;

UniqueFd open_inotify() {
    UniqueFd fd{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    if (!fd) {
        throw system_error("inotify_init1", "for watching files", errno);
    }
    return fd;
}

}  // namespace

class FileWatcher::State : public std::enable_shared_from_this<State> {
public:
    State(const asio::any_io_executor& executor, Options options, OnChange on_change)
        : options_(std::move(options)),
          on_change_(std::move(on_change)),
          inotify_(executor, open_inotify().release()),
          quiet_(executor) {}

    void watch(const Files& files) {
        files_ = files;
        arm();
    }

    void listen() {
        inotify_.async_read_some(
            asio::buffer(buffer_),
            [self = shared_from_this()](const boost::system::error_code& failed, std::size_t size) {
                if (!failed) {
                    self->read(std::string_view{self->buffer_.data(), size});
                    self->listen();
                }
            }
        );
    }

    void stop() {
        on_change_ = nullptr;
        boost::system::error_code ignored;  // it is gone either way
        inotify_.close(ignored);
        quiet_.cancel();
    }

    [[nodiscard]] std::size_t folder_count() const { return folders_.size(); }

private:
    /// By the names of a folder, the files that they lead to.
    using Names = std::map<std::string, Files>;

    void arm();
    [[nodiscard]] int add_watch(const fs::path& folder);
    void read(std::string_view events);
    void on_event(const inotify_event& event, std::string_view name);
    void wait_for_quiet();
    void tell();

    Options options_;
    OnChange on_change_;
    asio::posix::stream_descriptor inotify_;
    asio::steady_timer quiet_;
    alignas(inotify_event) std::array<char, kBufferSize> buffer_{};
    Files files_;
    std::map<int, Names> folders_;
    Files changed_;
    Clock::time_point last_moment_;
};

int FileWatcher::State::add_watch(const fs::path& folder) {
    const int watch = ::inotify_add_watch(inotify_.native_handle(), folder.c_str(), kEvents);
    if (watch < 0 && errno == ENOSPC) {
        throw Error{
            "there are no watches left for '" + folder.string() +
                "'; raise fs.inotify.max_user_watches with sysctl",
            "SYSTEM_ERROR"};
    }
    return watch;  // a folder that has gone meanwhile is found missing by the next pass
}

void FileWatcher::State::arm() {
    std::map<int, Names> folders;
    // A folder may have been made before it was watched: until a pass finds nothing new.
    for (int pass = 0; pass < kMostPasses; ++pass) {
        std::map<int, Names> found;
        for (const fs::path& file : files_) {
            for (const WatchedName& watched : names_on_the_way(file)) {
                const int watch = add_watch(watched.folder);
                if (watch >= 0) {
                    found[watch][watched.name].insert(file);
                }
            }
        }
        const bool is_same = found == folders;
        folders = std::move(found);
        if (is_same) {
            break;
        }
    }
    for (const auto& [watch, names] : folders_) {
        if (!folders.contains(watch)) {
            ::inotify_rm_watch(inotify_.native_handle(), watch);
        }
    }
    folders_ = std::move(folders);
}

void FileWatcher::State::read(std::string_view events) {
    while (events.size() >= sizeof(inotify_event)) {
        inotify_event event{};
        std::memcpy(&event, events.data(), sizeof event);
        std::string_view name = events.substr(sizeof event, event.len);
        on_event(event, name.substr(0, name.find('\0')));
        events.remove_prefix(sizeof event + event.len);
    }
    if (!changed_.empty()) {
        wait_for_quiet();
    }
}

void FileWatcher::State::on_event(const inotify_event& event, std::string_view name) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
        changed_ = files_;  // whatever it was
        return;
    }
    const auto folder = folders_.find(event.wd);
    if (folder == folders_.end()) {
        return;
    }
    if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0) {
        for (const auto& [entry, files] : folder->second) {
            changed_.insert(files.begin(), files.end());
        }
        if ((event.mask & IN_IGNORED) != 0) {
            folders_.erase(folder);
        }
        return;
    }
    const auto entry = folder->second.find(std::string{name});
    if (entry != folder->second.end()) {
        changed_.insert(entry->second.begin(), entry->second.end());
    }
}

void FileWatcher::State::wait_for_quiet() {
    const Clock::time_point now = Clock::now();
    if (quiet_.expiry() <= now) {
        last_moment_ = now + options_.debounce * kLongestWait;
    }
    quiet_.expires_at(std::min<Clock::time_point>(now + options_.debounce, last_moment_));
    quiet_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
        if (!cancelled) {
            self->tell();
        }
    });
}

void FileWatcher::State::tell() {
    if (!on_change_ || changed_.empty()) {
        return;
    }
    try {
        arm();  // what the paths lead to may have changed
    } catch (...) {
        if (options_.on_failure) {
            options_.on_failure(as_error(std::current_exception()));
        }
    }
    const Files changed = std::exchange(changed_, {});
    const OnChange on_change = on_change_;
    on_change(changed);
}

FileWatcher::FileWatcher(const asio::any_io_executor& executor, Options options, OnChange on_change)
    : state_(std::make_shared<State>(executor, std::move(options), std::move(on_change))) {
    state_->listen();
}

FileWatcher::~FileWatcher() {
    state_->stop();
}

void FileWatcher::watch(const Files& files) {
    state_->watch(files);
}

std::size_t FileWatcher::folder_count() const {
    return state_->folder_count();
}

void FileWatcher::stop() {
    state_->stop();
}

}  // namespace cordon
