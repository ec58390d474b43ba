#pragma once

#include <cordon/context/event.hpp>
#include <cordon/loader/mounter.hpp>
#include <cordon/loader/prepare.hpp>
#include <cordon/loader/serial_queue.hpp>
#include <cordon/loader/tree.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// The one kind of tree: a fiber that provides it and owns all rows, the generation in force, and
/// the queue of operations. Private to the room. live_tree.cpp holds its start and end,
/// live_tree_operations.cpp what changes it, live_tree_writing.cpp what is written back to files.
class LiveTree final : public EntryTree, public std::enable_shared_from_this<LiveTree> {
public:
    LiveTree(Context parent, ModuleResolver& modules, MountOptions options);

    /// Starts the fiber of the loader itself.
    [[nodiscard]] static Task<> begin(std::shared_ptr<LiveTree> self);

    /// Mounts the rows of an empty tree.
    [[nodiscard]] static Task<> boot(std::shared_ptr<LiveTree> self, Composition composition);

    [[nodiscard]] Task<> dispose() { return fiber_->dispose(); }

    [[nodiscard]] std::vector<RowStatus> rows() const override;
    [[nodiscard]] std::optional<std::string> locate(const FiberPtr& fiber) const override;
    [[nodiscard]] Task<std::string> create(Value row, RowPlace place) override;
    [[nodiscard]] Task<> update(std::string id, Object changes, std::optional<RowPlace> place)
        override;
    [[nodiscard]] Task<> remove(std::string id) override;
    [[nodiscard]] Task<> replace(Composition composition) override;
    [[nodiscard]] Task<> refresh(std::filesystem::path file) override;
    [[nodiscard]] Task<std::vector<std::string>> reload_plugins(
        std::vector<std::filesystem::path> libraries
    ) override;
    [[nodiscard]] Task<> await(std::optional<std::chrono::steady_clock::duration> deadline
    ) override;
    [[nodiscard]] std::vector<std::filesystem::path> included_files() const override;
    [[nodiscard]] std::vector<std::filesystem::path> libraries() const override;

private:
    /// Changes a copy of the sources.
    using Edit = std::function<void(Sources&)>;

    static Task<> serve(std::weak_ptr<LiveTree> self, Context context);
    static Task<> settle(std::shared_ptr<LiveTree> self);
    static Task<> apply(std::shared_ptr<LiveTree> self, Edit edit);
    /// The same for a change that a program makes: the files in which the rows stand follow.
    static Task<> apply_and_write(std::shared_ptr<LiveTree> self, Edit edit);
    static Task<> refresh_now(std::shared_ptr<LiveTree> self, std::filesystem::path file);
    static Task<> reload_now(
        std::shared_ptr<LiveTree> self,
        std::vector<std::filesystem::path> libraries,
        std::vector<std::string>* reloaded
    );
    static Task<bool> await_all(std::shared_ptr<LiveTree> self);
    /// Has the queue do it, and waits.
    static Task<> perform(std::shared_ptr<LiveTree> self, std::string name, Starter operation);

    [[nodiscard]] const Entry& resolve(const std::string& id) const;
    [[nodiscard]] RowPosition position_of(Sources& sources, const Entry& entry) const;
    [[nodiscard]] RowPosition position_for(const RowPlace& place) const;
    void report_loading() const;
    void require_all_active() const;
    void log_others() const;
    void on_idle();
    void on_plugin_event(const FiberPtr& fiber);
    /// Notes what a row did to itself, after the fact.
    static Task<> record(
        std::shared_ptr<LiveTree> self, std::string id, FiberPtr fiber, Object changes
    );
    [[nodiscard]] Task<bool> watch_update(
        FiberPtr fiber, Value config, bool no_save, Next<Task<bool>> next
    );
    /// By include row: the file's own rows after the edit, where it changes them.
    [[nodiscard]] std::map<std::string, Value::Array> drafts(const Edit& edit) const;
    static Task<> write(std::shared_ptr<LiveTree> self, std::map<std::string, Value::Array> drafts);
    [[nodiscard]] std::vector<std::string> still_loading() const;

    Context parent_;
    ModuleResolver& modules_;
    MountOptions options_;
    FiberPtr fiber_;
    std::unique_ptr<Surroundings> around_;
    std::shared_ptr<Mounter> mounter_;
    bool is_booting_ = true;
    std::unique_ptr<SerialQueue> queue_;
};

}  // namespace cordon
