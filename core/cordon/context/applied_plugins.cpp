#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/context/applied_plugins.hpp>

namespace cordon {
namespace {

AppliedPlugin applied(const FiberTable& table, const PluginPtr& plugin) {
    const auto fibers = table.fibers_of(*plugin);
    return AppliedPlugin{plugin, {fibers.begin(), fibers.end()}};
}

}  // namespace

AppliedPlugins::AppliedPlugins(const Context& context)
    : core_(context.node()->fiber->core().shared_from_this()) {}

std::size_t AppliedPlugins::size() const noexcept {
    return core_->fibers.plugin_count();
}

bool AppliedPlugins::contains(const PluginPtr& plugin) const {
    return plugin && core_->fibers.contains(*plugin);
}

std::optional<AppliedPlugin> AppliedPlugins::find(const PluginPtr& plugin) const {
    return contains(plugin) ? std::optional{applied(core_->fibers, plugin)} : std::nullopt;
}

std::vector<AppliedPlugin> AppliedPlugins::all() const {
    std::vector<AppliedPlugin> all;
    for (const PluginPtr& plugin : core_->fibers.plugins()) {
        all.push_back(applied(core_->fibers, plugin));
    }
    return all;
}

std::optional<AppliedPlugin> AppliedPlugins::remove(const PluginPtr& plugin) const {
    std::optional<AppliedPlugin> removed = find(plugin);
    if (removed) {
        for (const FiberPtr& fiber : removed->fibers) {
            fiber->request_dispose();
        }
    }
    return removed;
}

}  // namespace cordon
