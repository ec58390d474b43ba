#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/context/settle.hpp>
#include <cordon/loader/import.hpp>
#include <cordon/loader/mounting.hpp>

#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <utility>

namespace cordon {
namespace {

namespace asio = boost::asio;

/// The rows of the top level in the order in which they are applied.
std::vector<Entry*> top_level(Entries& entries) {
    std::vector<Entry*> rows;
    for (Entry& entry : entries) {
        if (entry.group == nullptr) {
            rows.push_back(&entry);
        }
    }
    std::stable_partition(rows.begin(), rows.end(), [](const Entry* row) {
        return row->is_default;
    });
    return rows;
}

}  // namespace

Mounting::Mounting(Context parent, const Composition& composition, MountOptions options)
    : parent_(std::move(parent)),
      options_(std::move(options)),
      scope_(std::make_shared<RowScope>(options_.scope, options_.base_folder)),
      entries_(make_entries(composition)) {}

void Mounting::decide() {
    std::erase_if(options_.defaults, [this](const auto& provider) {
        return static_cast<bool>(parent_.find(provider.first));
    });
    for (Entry& entry : entries_) {
        if (entry.group != nullptr && !entry.group->is_mountable()) {
            continue;  // whatever it says, it stays off with its group
        }
        try {
            entry.disabled = is_switched_off(entry, *scope_, parent_);
        } catch (...) {
            entry.fail("apply", as_error(std::current_exception()));
        }
    }
}

void Mounting::import(ModuleResolver& modules) {
    import_plugins(entries_, modules, options_.base_folder);
    std::set<std::string> considered;
    for (bool is_complete = false; !is_complete;) {
        is_complete = true;
        for (const std::string& service : lacking_services()) {
            const auto plugin = options_.defaults.find(service);
            const bool is_new = considered.insert(service).second;
            // A row of that plugin, even a disabled one, is the composition's own decision.
            if (is_new && plugin != options_.defaults.end() && !has_row_for(*plugin, modules)) {
                add_default(entries_, service, plugin->second);
                is_complete = false;
            }
        }
        import_plugins(entries_, modules, options_.base_folder);
    }
}

/// Services that some row needs and no row provides, as the outermost scope has them: a slot that
/// is private to a row or its group neither fills theirs nor is filled by it.
std::vector<std::string> Mounting::lacking_services() const {
    std::set<std::string> needed;
    std::set<std::string> provided;
    const auto add = [](std::set<std::string>& names, const Entry& entry, const auto& services) {
        std::copy_if(
            services.begin(),
            services.end(),
            std::inserter(names, names.end()),
            [&](const std::string& service) { return !entry.isolates(service); }
        );
    };
    for (const Entry& entry : entries_) {
        if (!entry.is_mountable()) {
            continue;
        }
        add(needed, entry, added_services(entry));
        if (entry.plugin) {
            add(needed, entry, entry.plugin->inject.names());
            add(provided, entry, entry.plugin->provides);
        }
    }
    std::vector<std::string> lacking;
    std::set_difference(
        needed.begin(), needed.end(), provided.begin(), provided.end(), std::back_inserter(lacking)
    );
    return lacking;
}

bool Mounting::has_row_for(
    const std::pair<const std::string, std::string>& provider, const ModuleResolver& modules
) const {
    const auto& [service, plugin] = provider;
    const std::string name = modules.canonical_name(plugin);
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return !entry.isolates(service) && modules.canonical_name(entry.name) == name;
    });
}

bool Mounting::has_failed_entry() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
        return entry.failure != nullptr;
    });
}

void Mounting::apply() {
    for (Entry* entry : top_level(entries_)) {
        apply(*entry, parent_);
    }
}

/// The context of a row with the slots that its `isolate` makes private (spec ISO-1, ISO-2).
Context Mounting::scope_of(const Entry& entry, Context context) {
    const Value* isolate = entry.key("isolate");
    const Object* services = isolate == nullptr ? nullptr : isolate->as_object();
    if (services != nullptr) {
        for (const Member& service : *services) {
            const std::string* label = service.value.as_string();
            context = label == nullptr ? context.isolate(service.key)
                                       : context.isolate(service.key, *label);
        }
    }
    return context;
}

void Mounting::apply(Entry& entry, const Context& context) {
    if (!entry.is_mountable()) {
        return;
    }
    PluginOptions options;
    options.name = entry.id;
    options.inject = added_services(entry);
    Value config;
    if (!entry.is_group) {
        if (const Value* raw = entry.keys().find("config")) {
            config = *raw;
        }
        options.resolve_config = [scope = scope_](const Context& inside, const Value& raw) {
            return interpolate(raw, scope->in(inside)).value_or(Value{});
        };
    }
    const PluginPtr plugin = entry.is_group ? group_plugin(entry) : entry.plugin;
    entry.fiber = scope_of(entry, context).plugin(plugin, std::move(config), std::move(options));
}

PluginPtr Mounting::group_plugin(Entry& entry) {
    auto plugin = std::make_shared<PluginDescriptor>();
    plugin->name = entry.name;
    plugin->apply = [self = weak_from_this(), group = &entry](Context context, const Value&) {
        return mount_children(self, group, std::move(context));
    };
    return plugin;
}

Task<> Mounting::mount_children(std::weak_ptr<Mounting> self, Entry* group, Context context) {
    if (const auto mounting = self.lock()) {
        for (Entry* child : group->children) {
            mounting->apply(*child, context);
        }
    }
    co_return;
}

void Mounting::report_loading() const {
    std::vector<std::string> rows;
    for (const Entry& entry : entries_) {
        if (entry.fiber && entry.fiber->state() == FiberState::loading) {
            const std::string place = to_string(entry.place);
            rows.push_back(
                fmt::format("'{}' ({}{}{})", entry.id, entry.name, place.empty() ? "" : ", ", place)
            );
        }
    }
    if (!rows.empty()) {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(options_.report_loading_after);
        parent_.log(
            LogLevel::warn, fmt::format("still loading after {} s: {}", seconds.count(), join(rows))
        );
    }
}

Task<> Mounting::settle(std::shared_ptr<Mounting> self) {
    asio::steady_timer slow{self->parent_.executor(), self->options_.report_loading_after};
    slow.async_wait([self](const boost::system::error_code& cancelled) {
        if (!cancelled) {
            self->report_loading();
        }
    });
    co_await all_settled(self->parent_);
}

Task<> Mounting::dispose(std::shared_ptr<Mounting> self) {
    std::vector<Entry*> rows = top_level(self->entries_);
    std::reverse(rows.begin(), rows.end());
    for (const Entry* entry : rows) {
        if (entry->fiber) {
            co_await entry->fiber->dispose();
        }
    }
}

}  // namespace cordon
