#include <cordon/async/offload.hpp>
#include <cordon/base/text.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/watch_path.hpp>
#include <cordon/runtime/follow_events.hpp>
#include <cordon/runtime/follower.hpp>
#include <cordon/sandbox/policy.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace cordon {
namespace {

using namespace std::chrono_literals;

/// The kernel stamps files with the time of its last tick.
constexpr std::chrono::milliseconds kClockTick{4};
/// A file that is written without end is taken as it is after so many waits.
constexpr int kMostTurns = 20;

/// How long ago the last of the files was written.
std::chrono::nanoseconds youngest(const FileWatcher::Files& files) {
    std::chrono::nanoseconds age = 1h;
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const std::filesystem::path& file : files) {
        std::error_code absent;
        const auto written = std::filesystem::last_write_time(file, absent);
        if (!absent) {
            age = std::min<std::chrono::nanoseconds>(age, now - written);
        }
    }
    return age;
}

std::string names_of(const FileWatcher::Files& files) {
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) {
        names.push_back(file.string());
    }
    return join(names);
}

FileWatcher::Files common(const FileWatcher::Files& left, const FileWatcher::Files& right) {
    FileWatcher::Files both;
    std::set_intersection(
        left.begin(), left.end(), right.begin(), right.end(), std::inserter(both, both.end())
    );
    return both;
}

/// The names of all plugins that the rows call for.
void collect_names(const Value& row, std::vector<std::string>& names) {
    const Object* keys = row.as_object();
    if (keys == nullptr) {
        return;
    }
    const Value* name = keys->find("name");
    if (const std::string* text = name == nullptr ? nullptr : name->as_string()) {
        names.push_back(*text);
    }
    const Value* config = keys->find("config");
    if (const Value::Array* rows = config == nullptr ? nullptr : config->as_array()) {
        for (const Value& child : *rows) {
            collect_names(child, names);
        }
    }
}

bool has_same_rows(const Composition& left, const Composition& right) {
    return std::equal(
        left.rows.begin(),
        left.rows.end(),
        right.rows.begin(),
        right.rows.end(),
        [](const ComposedRow& one, const ComposedRow& other) { return one.row == other.row; }
    );
}

FileWatcher::Files as_set(const std::vector<std::filesystem::path>& files) {
    return {files.begin(), files.end()};
}

}  // namespace

Follower::Follower(
    Context root,
    std::shared_ptr<EntryTree> tree,
    CompositionOptions options,
    ComposedDeployment deployment,
    WatchOptions watch
)
    : root_(std::move(root)),
      tree_(std::move(tree)),
      options_(std::move(options)),
      deployment_(std::move(deployment)),
      watch_(std::move(watch)),
      writable_roots_(watch_.writable_roots),
      idle_(root_.executor()),
      watcher_(
          root_.executor(),
          FileWatcher::Options{
              watch_.debounce,
              [this](const std::exception_ptr& failure) {
                  root_.log(LogLevel::warn, "files are not followed: " + message_of(failure));
              }},
          [this](const Files& changed) { on_change(changed); }
      ),
      tasks_(root_.executor(), [this](const std::string& name, const std::exception_ptr& failure) {
          root_.log(LogLevel::error, fmt::format("{} failed: {}", name, message_of(failure)));
      }) {}

void Follower::start() {
    want(deployment_);
    idle_.complete();
    watch_again();
}

void Follower::want(const ComposedDeployment& next) {
    const ModuleResolver modules{next.aliases, next.plugin_path};
    std::vector<std::string> names;
    for (const ComposedRow& row : next.composition.rows) {
        collect_names(row.row, names);
    }
    candidates_.clear();
    for (const std::string& name : names) {
        try {
            const auto files = modules.candidates(name, next.base_folder);
            candidates_.insert(files.begin(), files.end());
        } catch (const Error&) {
            // No name of a plugin: the tree says so, with the row's place.
        }
    }
}

void Follower::learn_roots() {
    const auto policy = root_.get<SandboxPolicyService>();
    const std::filesystem::path workspace = policy ? policy->workspace_root() : std::string{};
    const bool is_known = std::find(writable_roots_.begin(), writable_roots_.end(), workspace) !=
                          writable_roots_.end();
    if (!workspace.empty() && !is_known) {
        writable_roots_.push_back(workspace);  // never taken away: what was written stays
    }
}

bool Follower::is_frozen(const std::filesystem::path& file) const {
    return std::any_of(writable_roots_.begin(), writable_roots_.end(), [&](const auto& root) {
        return is_reached_through(file, root);
    });
}

FileWatcher::Files Follower::followed() const {
    Files files = deployment_.files();
    files.insert(candidates_.begin(), candidates_.end());
    for (const auto& more : {tree_->included_files(), tree_->libraries()}) {
        files.insert(more.begin(), more.end());
    }
    return files;
}

void Follower::watch_again() {
    learn_roots();
    Files files = followed();
    std::erase_if(files, [this](const std::filesystem::path& file) {
        if (!is_frozen(file)) {
            return false;
        }
        if (told_.insert(file).second) {
            root_.log(
                LogLevel::warn,
                fmt::format(
                    "'{}' is not followed, because confined commands may write to it; restart to "
                    "take over changes of it",
                    file.string()
                )
            );
        }
        return true;
    });
    watcher_.watch(files);
    // Whatever changed between the reading and the watching has been told by nobody.
    Files added;
    std::set_difference(
        files.begin(),
        files.end(),
        watched_.begin(),
        watched_.end(),
        std::inserter(added, added.end())
    );
    watched_ = std::move(files);
    if (!added.empty()) {
        on_change(added);
    }
}

void Follower::on_change(const Files& changed) {
    changed_.insert(changed.begin(), changed.end());
    if (!is_working_) {
        is_working_ = true;
        idle_ = Completion{root_.executor()};
        tasks_.spawn("following files", work());
    }
}

Task<> Follower::work() {
    while (!changed_.empty()) {
        Files changed = std::exchange(changed_, {});
        co_await take_over(std::move(changed));
    }
    is_working_ = false;
    idle_.complete();
}

Task<> Follower::caught_up() {
    const Completion idle = idle_;
    co_await idle.wait();
}

Task<> Follower::take_over(Files changed) {
    learn_roots();
    std::erase_if(changed, [this](const std::filesystem::path& file) { return is_frozen(file); });
    if (changed.empty()) {
        co_return;
    }
    co_await let_writers_end(changed);
    Files composition = common(changed, deployment_.files());
    if (composition.empty() && is_behind_) {
        composition = changed;
    }
    if (!composition.empty()) {
        co_await take_over_composition(std::move(composition));
    }
    const Files includes = common(changed, as_set(tree_->included_files()));
    for (const std::filesystem::path& include : includes) {
        co_await take_over_include(include);
    }
    Files libraries = common(changed, as_set(tree_->libraries()));
    libraries.insert(stale_.begin(), stale_.end());
    if (!libraries.empty()) {
        co_await take_over_plugins(std::move(libraries));
    }
    watch_again();
}

/// What has just been written may be half of it, an empty file above all, which would be a
/// composition without rows.
Task<> Follower::let_writers_end(Files changed) {
    const Files all = deployment_.files();
    changed.insert(all.begin(), all.end());
    const auto quiet = watch_.debounce + kClockTick;
    boost::asio::steady_timer timer{root_.executor()};
    for (int turn = 0; turn < kMostTurns && youngest(changed) < quiet; ++turn) {
        timer.expires_after(quiet);
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
}

Task<ComposedDeployment> Follower::read_whole_files() {
    for (int turn = 0;; ++turn) {
        auto read = [this] {
            const Recomposition again{deployment_, [this](const std::filesystem::path& file) {
                                          return is_frozen(file);
                                      }};
            return recompose_deployment(options_, again);
        };
        std::optional<ComposedDeployment> next;
        std::exception_ptr failure;
        try {
            next = co_await offload(std::move(read));
        } catch (...) {
            failure = std::current_exception();
        }
        const Files files = deployment_.files();
        const bool was_written = youngest(files) < watch_.debounce + kClockTick;
        if (was_written && turn < kMostTurns) {
            co_await let_writers_end(files);
            continue;
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
        co_return std::move(*next);
    }
}

Task<> Follower::take_over_composition(Files changed) {
    std::exception_ptr failure;
    try {
        ComposedDeployment next = co_await read_whole_files();
        const std::vector<Diagnostic> warnings = next.composition.warnings;
        if (next.aliases != deployment_.aliases || next.defaults != deployment_.defaults) {
            root_.log(
                LogLevel::warn,
                "the aliases or defaults of a bundle have changed; restart to take them over"
            );
        }
        want(next);
        if (!is_behind_ && has_same_rows(next.composition, deployment_.composition)) {
            deployment_ = std::move(next);
            for (const std::filesystem::path& file : changed) {
                reported_.erase(file);
            }
            co_return;
        }
        is_behind_ = true;
        Composition rows = next.composition;
        co_await tree_->replace(std::move(rows));
        is_behind_ = false;
        for (const Diagnostic& warning : warnings) {
            root_.log(LogLevel::warn, describe(warning));
        }
        deployment_ = std::move(next);
        for (const std::filesystem::path& file : changed) {
            reported_.erase(file);
        }
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        co_await report(std::move(changed), failure);
    }
}

Task<> Follower::take_over_include(std::filesystem::path file) {
    std::exception_ptr failure;
    try {
        co_await tree_->refresh(file);
        reported_.erase(file);
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        Files files{std::move(file)};
        co_await report(std::move(files), failure);
    }
}

Task<> Follower::take_over_plugins(Files changed) {
    std::exception_ptr failure;
    try {
        std::vector<std::filesystem::path> libraries{changed.begin(), changed.end()};
        const std::vector<std::string> rows = co_await tree_->reload_plugins(std::move(libraries));
        stale_.clear();
        for (const std::filesystem::path& file : changed) {
            reported_.erase(file);
        }
        if (!rows.empty()) {
            root_.log(LogLevel::info, "reloaded the plugins of " + join(rows));
            root_.emit<PluginsReloadedEvent>(rows);
        }
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        stale_ = changed;
        co_await report(std::move(changed), failure);
    }
}

Task<> Follower::report(Files files, std::exception_ptr failure) {
    if (is_cancellation(failure)) {
        std::rethrow_exception(failure);
    }
    const std::shared_ptr<const Error> error = as_cause(as_error(failure));
    std::string& last = reported_[*files.begin()];
    if (last == error->message()) {
        co_return;
    }
    last = error->message();
    root_.log(LogLevel::warn, fmt::format("config reload at {} failed: {}", names_of(files), last));
    std::exception_ptr observer;
    try {
        co_await root_.parallel<ConfigUpdateFailedEvent>(*files.begin(), *error);
    } catch (...) {
        observer = std::current_exception();
    }
    if (observer) {
        root_.log(
            LogLevel::warn,
            fmt::format(
                "an observer of {} failed: {}", ConfigUpdateFailedEvent::name, message_of(observer)
            )
        );
    }
}

Task<> Follower::stop() {
    watcher_.stop();
    changed_.clear();
    co_await tasks_.stop();
}

}  // namespace cordon
