#pragma once

#include <cordon/async/task.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/entry.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/row_scope.hpp>
#include <cordon/loader/tree.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// The entries of a tree and what is done to them, in the order of the functions. Shared, because
/// groups mount their rows again whenever they load. Private to the room.
///
/// Threads: strand only, but for `import()`.
class Mounting : public std::enable_shared_from_this<Mounting> {
public:
    Mounting(Context parent, const Composition& composition, MountOptions options);

    /// Evaluates `disabled` of every row, and forgets default providers of services that the host
    /// provides.
    void decide();

    /// Opens the plugins, then those of default providers until no row lacks one. Blocks.
    void import(ModuleResolver& modules);

    /// Applies every row that can be, providers by default first.
    void apply();

    /// Waits until all have settled, with a warning for those that take long.
    [[nodiscard]] static Task<> settle(std::shared_ptr<Mounting> self);

    /// Takes back every row, last first.
    [[nodiscard]] static Task<> dispose(std::shared_ptr<Mounting> self);

    [[nodiscard]] const Context& parent() const noexcept { return parent_; }

    [[nodiscard]] const Entries& entries() const noexcept { return entries_; }

    [[nodiscard]] bool has_failed_entry() const;

private:
    [[nodiscard]] std::vector<std::string> lacking_services() const;
    [[nodiscard]] bool has_row_for(
        const std::pair<const std::string, std::string>& provider, const ModuleResolver& modules
    ) const;
    void apply(Entry& entry, const Context& context);
    [[nodiscard]] PluginPtr group_plugin(Entry& entry);
    [[nodiscard]] static Context scope_of(const Entry& entry, Context context);
    static Task<> mount_children(std::weak_ptr<Mounting> self, Entry* group, Context context);
    void report_loading() const;

    Context parent_;
    MountOptions options_;
    std::shared_ptr<const RowScope> scope_;
    Entries entries_;
};

}  // namespace cordon
