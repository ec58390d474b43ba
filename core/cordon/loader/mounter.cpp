#include <cordon/base/error.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/loader/loader_events.hpp>
#include <cordon/loader/mounter.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {
namespace {

/// Marks what happens to a fiber as the loader's doing, as long as it lives.
class InHand {
public:
    explicit InHand(std::shared_ptr<Mount> mount) : mount_(std::move(mount)) {
        mount_->is_in_hand = true;
    }

    ~InHand() { mount_->is_in_hand = false; }

    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;

private:
    std::shared_ptr<Mount> mount_;
};

/// Where the rows inside a carrier can be mounted now; null while it has yet to load.
bool is_ready(const Mount& carrier) {
    return carrier.is_alive() && carrier.fiber->state() == FiberState::active;
}

PluginOptions options_for(const Entry& entry) {
    PluginOptions options;
    options.name = entry.id;
    options.inject = added_services(entry);
    if (!entry.carries_rows()) {
        options.resolve_config =
            [scope = entry.branch->scope](const Context& inside, const Value& raw) {
                return interpolate(raw, scope->in(inside)).value_or(Value{});
            };
    }
    return options;
}

}  // namespace

bool is_same_instance(const Entry& entry) {
    return entry.mount->is_alive() && entry.mount->identity == entry.identity();
}

Mounter::Mounter(Context context) : context_(std::move(context)) {}

void Mounter::report(std::string_view event, const std::exception_ptr& failure) const {
    context_.log(
        LogLevel::warn, fmt::format("an observer of {} failed: {}", event, message_of(failure))
    );
}

void Mounter::log(const Entry& entry, std::string_view what) const {
    if (entry.branch->logs && !entry.is_open()) {
        context_.log(LogLevel::info, fmt::format("{} plugin {}", what, entry.name));
    }
}

bool Mounter::may_patch(const Entry& entry) const {
    return context_.waterfall<PatchContextEvent>(entry.id, [] { return true; });
}

void Mounter::realise() {
    const GenerationPtr generation = current_;
    // Providers by default first: rows that need them then start in file order.
    for (const bool defaults : {true, false}) {
        for (const Entry* entry : generation->roots) {
            if (entry->is_default == defaults) {
                realise(*entry, context_);
            }
        }
    }
}

void Mounter::realise(const Entry& entry, const Context& owner) {
    if (!entry.is_wanted()) {
        return;
    }
    try {
        if (entry.mount->is_alive()) {
            move(entry, owner);
        } else {
            start(entry, owner);
        }
    } catch (...) {
        failures_.insert_or_assign(entry.id, as_error(std::current_exception()));
        return;
    }
    if (entry.carries_rows() && is_ready(*entry.mount)) {
        const Context inside = entry.mount->fiber->context();
        for (const Entry* child : entry.children) {
            realise(*child, inside);
        }
    }
}

void Mounter::start(const Entry& entry, const Context& owner) {
    if (!may_patch(entry)) {
        return;
    }
    Mount& mount = *entry.mount;
    if (mount.scope) {
        mount.scope->move(owner, scope_overrides(entry));
    } else {
        mount.scope = std::make_shared<MovableContext>(owner, scope_overrides(entry));
    }
    mount.identity = entry.identity();
    mount.config = entry.config();
    mount.isolate = entry.value_of("isolate");
    mount.intercept = entry.value_of("intercept");
    mount.owner = owner.fiber();
    const PluginPtr plugin = entry.carries_rows() ? carrier_plugin(entry) : entry.plugin;
    log(entry, "apply");
    rows_.erase(mount.fiber.get());
    mount.fiber = mount.scope->context().plugin(plugin, mount.config, options_for(entry));
    rows_.insert_or_assign(mount.fiber.get(), entry.id);
}

std::optional<std::string> Mounter::row_of(const Fiber& fiber) const {
    const auto found = rows_.find(&fiber);
    return found == rows_.end() ? std::nullopt : std::optional{found->second};
}

std::string Mounter::fresh_id() {
    for (;;) {
        last_id_ = last_id_ * 1664525U + 1013904223U;
        std::string id = fmt::format("{:08x}", last_id_);
        if (current_->find(id) == nullptr) {
            return id;
        }
    }
}

void Mounter::move(const Entry& entry, const Context& owner) {
    Mount& mount = *entry.mount;
    const Value isolate = entry.value_of("isolate");
    const Value intercept = entry.value_of("intercept");
    const bool is_there = mount.owner.lock() == owner.fiber();
    if (is_there && mount.isolate == isolate && mount.intercept == intercept) {
        return;
    }
    if (!may_patch(entry)) {
        return;
    }
    mount.scope->move(owner, scope_overrides(entry));
    mount.owner = owner.fiber();
    mount.isolate = isolate;
    mount.intercept = intercept;
}

void Mounter::park(const Entry& entry) {
    try {
        entry.mount->scope->move(context_, scope_overrides(entry));
        entry.mount->owner = context_.fiber();
    } catch (...) {
        failures_.insert_or_assign(entry.id, as_error(std::current_exception()));
    }
}

PluginPtr Mounter::carrier_plugin(const Entry& entry) {
    auto plugin = std::make_shared<PluginDescriptor>();
    plugin->name = entry.name;
    plugin->apply = [self = weak_from_this(), id = entry.id](Context context, const Value&) {
        return mount_children(self, id, std::move(context));
    };
    return plugin;
}

Task<> Mounter::mount_children(std::weak_ptr<Mounter> self, std::string id, Context context) {
    const auto mounter = self.lock();
    const GenerationPtr generation = mounter ? mounter->current_ : nullptr;
    if (const Entry* carrier = generation ? generation->find(id) : nullptr) {
        for (const Entry* child : carrier->children) {
            mounter->realise(*child, context);
        }
    }
    co_return;
}

Task<> Mounter::update(std::shared_ptr<Mounter> self, const Entry& entry) {
    if (!self->may_patch(entry)) {
        co_return;
    }
    const InHand in_hand{entry.mount};
    Value config = entry.config();
    self->log(entry, "reload");
    try {
        // A veto is the plugin's own decision; the row has been told.
        [[maybe_unused]] const bool is_accepted = co_await entry.mount->fiber->update(config);
    } catch (...) {
        // A refused config was not taken over; one that the body failed with was (spec FIB-37).
        const FiberPtr& fiber = entry.mount->fiber;
        if (fiber->state() != FiberState::active) {
            entry.mount->config = std::move(config);
        }
        throw;
    }
    entry.mount->config = std::move(config);
}

Task<> Mounter::stop(std::shared_ptr<Mounter> self, const Entry& entry) {
    const InHand in_hand{entry.mount};
    const FiberPtr fiber = entry.mount->fiber;
    if (fiber) {
        self->log(entry, "unload");
        co_await fiber->dispose();
        self->rows_.erase(fiber.get());
        entry.mount->fiber = nullptr;
    }
}

}  // namespace cordon
