#include "checked_access.hpp"
#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"
#include "listener_registrar.hpp"
#include "provide.hpp"
#include "sync_effect.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/internal_events.hpp>

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

Context derived(const std::shared_ptr<ContextNode>& node, ContextNode::Overrides overrides) {
    return Context{std::make_shared<ContextNode>(
        node->fiber, node, ContextNode::shared(std::move(overrides))
    )};
}

Context isolated(
    const std::shared_ptr<Context::Node>& node, std::string_view name, std::string label
) {
    ContextNode::Overrides overrides;
    overrides.labels.emplace(name, std::move(label));
    return derived(node, std::move(overrides));
}

ServiceHandle<Service> pinned(const Context::Node& node, const ImplementationPtr& implementation) {
    return implementation ? implementation->pin(*node.fiber) : ServiceHandle<Service>{};
}

EffectPlan child_plan(const std::shared_ptr<FiberImpl>& child) {
    return EffectPlan{
        "ctx.plugin()",
        [child] { child->begin_dispose(); },
        [child] { return FiberImpl::disposed(child); },
        [child](const FiberImpl& caller) {
            return caller.holds_up(*child);
        }};
}

std::optional<LogLevel> log_level_in(const Object& settings) {
    const Value* level = settings.find("level");
    if (level == nullptr) {
        return std::nullopt;
    }
    if (const std::string* word = level->as_string()) {
        return log_level_named(*word);
    }
    const double* number = level->as_number();
    return number == nullptr ? std::nullopt : log_level_of_number(*number);
}

/// Speaks for the fiber of `own`, in the way that the layers of `caller` ask for (spec LOG-2,
/// LOG-3). What is no name and no level there is passed over: logging is no place to fail.
Logger::Identity logger_identity(const Context& own, const Context& caller) {
    Logger::Identity identity;
    identity.fiber = own.fiber();
    const Object settings = caller.config_for("logger");
    const Value* name = settings.find("name");
    const std::string* word = name == nullptr ? nullptr : name->as_string();
    identity.name = word == nullptr ? hyphenated(own.fiber()->name()) : *word;
    identity.level = log_level_in(settings);
    return identity;
}

}  // namespace

Context::Context(std::shared_ptr<Node> node) : node_(std::move(node)) {}

asio::any_io_executor Context::executor() const {
    return node_->fiber->core().strand;
}

Context Context::root() const {
    FiberImpl* top = node_->fiber.get();
    while (top->parent() != nullptr) {
        top = top->parent();
    }
    return top->context();
}

FiberPtr Context::fiber() const {
    return node_->fiber;
}

Effect Context::provide(
    std::string_view name, std::shared_ptr<Service> service, ProvideOptions options
) const {
    node_->fiber->require_open();
    return Effect{provide_service(*node_, name, std::move(service), std::move(options))};
}

void Context::set(std::string_view name, std::shared_ptr<Service> service) const {
    set_service(*node_, name, std::move(service));
}

std::vector<FiberPtr> Context::notify(const std::vector<std::string>& services) const {
    return notify_dependents(*node_, services);
}

ServiceHandle<Service> Context::find(std::string_view name) const {
    const Registry& registry = node_->fiber->core().registry;
    return pinned(*node_, registry.find_visible(node_->slot_of(name)));
}

ServiceHandle<Service> Context::require(std::string_view name) const {
    return pinned(*node_, checked_access(*node_, name));
}

Effect Context::effect(std::string label, Undo undo) const {
    node_->fiber->require_open();
    EffectPlan plan;
    plan.label = std::move(label);
    plan.finish = std::move(undo);
    return Effect{node_->fiber->add_effect(std::move(plan))};
}

Effect Context::set_up(std::string label, const std::function<void(EffectSetup&)>& setup) const {
    const Effect effect = this->effect(std::move(label), nullptr);
    effect.state()->set_up(setup);
    return effect;
}

Effect Context::begin_set_up(std::string label, std::function<Task<>(EffectSetup&)> setup) const {
    const Effect effect = this->effect(std::move(label), nullptr);
    effect.state()->begin_set_up(std::move(setup));
    return effect;
}

FiberPtr Context::plugin(PluginPtr plugin, Value config, PluginOptions options) const {
    node_->fiber->require_open();
    if (!plugin || !plugin->apply) {
        throw Error{
            "invalid plugin, expected a descriptor with an apply function", "INVALID_PLUGIN"};
    }
    ContainerCore& core = node_->fiber->core();
    auto child = std::make_shared<FiberImpl>(
        core.shared_from_this(),
        node_,
        FiberImpl::Application{std::move(plugin), std::move(config), std::move(options)}
    );
    child->set_membership(node_->fiber->add_effect(child_plan(child)));
    core.fibers.add(child);
    core.notify<PluginEvent>(FiberPtr{child});
    child->end_creation();
    child->reevaluate();
    return child;
}

FiberPtr Context::inject(Inject services, std::function<Task<>(Context)> body) const {
    PluginDescriptor descriptor;
    descriptor.inject = std::move(services);
    descriptor.apply = [body = std::move(body)](Context context, const Value& /*config*/) {
        return body(std::move(context));
    };
    return plugin(std::make_shared<const PluginDescriptor>(std::move(descriptor)));
}

Context Context::isolate(std::string_view name) const {
    return isolated(node_, name, unique_label(node_->fiber->core()));
}

Context Context::isolate(std::string_view name, std::string_view label) const {
    return isolated(node_, name, shared_label(label));
}

Context Context::intercept(std::string_view service, Object config) const {
    ContextNode::Overrides overrides;
    overrides.layers.emplace(service, std::move(config));
    return derived(node_, std::move(overrides));
}

InterceptLayers Context::intercept_layers(std::string_view service) const {
    return node_->layers_of(service);
}

InterceptLayers Context::layers_between(
    std::string_view service, const Object& base, const Object& head
) const {
    InterceptLayers layers = node_->layers_of(service);
    layers.insert(layers.begin(), base);
    layers.push_back(head);
    std::erase_if(layers, [](const Object& layer) { return layer.empty(); });
    return layers;
}

Context Context::with_property(std::string_view name, std::any value) const {
    ContextNode::Overrides overrides;
    overrides.properties.emplace(name, std::move(value));
    return derived(node_, std::move(overrides));
}

const std::any* Context::property(std::string_view name) const {
    return node_->property(name);
}

void Context::log(LogLevel level, std::string_view message) const {
    logger().log(level, message);
}

Logger Context::logger() const {
    return logger_for(*this);
}

Logger Context::logger(std::string name) const {
    Logger::Identity identity = logger_identity(*this, *this);
    identity.name = std::move(name);
    return Logger{node_->fiber->core().shared_from_this(), std::move(identity)};
}

Logger Context::logger_for(const Context& caller) const {
    return Logger{node_->fiber->core().shared_from_this(), logger_identity(*this, caller)};
}

Effect Context::log_exporter(LogExporter exporter) const {
    node_->fiber->require_open();
    ContainerCore& core = node_->fiber->core();
    // The fiber owns the effect, and keeps the core.
    const auto remove = [&core, receiver = core.log.add(std::move(exporter))] {
        core.log.remove(receiver);
    };
    return add_sync_effect(*this, "ctx.logger.exporter()", remove);
}

std::vector<LogRecord> Context::recent_log() const {
    const std::deque<LogRecord>& records = node_->fiber->core().log.recent();
    return {records.begin(), records.end()};
}

std::string Context::describe() const {
    return fmt::format("Context <{}>", node_->fiber->name());
}

void Context::throw_wrong_type(std::string_view name) {
    throw Error{
        fmt::format("service \"{}\" does not implement the interface of that name", name),
        "SERVICE_TYPE"};
}

Dispatcher Context::targeting(EventTarget target) const {
    return Dispatcher{node_->fiber->core().shared_from_this(), std::move(target)};
}

EventTarget Context::scope_of(std::string_view service) const {
    return EventTarget{[slot = node_->slot_of(service)](const Context& listener) {
        return listener.node()->label_of(slot.name) == slot.label;
    }};
}

Effect Context::add_listener(
    EventKey event, const ListenerPtr& listener, ListenerOptions options, bool is_once
) const {
    node_->fiber->require_open();
    const ListenerRegistrar registrar{node_, options, is_once};
    return registrar.add(event, listener);
}

}  // namespace cordon
