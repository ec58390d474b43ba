#include "fiber_impl.hpp"

#include "config_chain.hpp"
#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_executor.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/context/config_error.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {

namespace asio = boost::asio;

namespace {

Error inactive() {
    return Error{"cannot create effect on inactive context", "INACTIVE_EFFECT"};
}

}  // namespace

Fiber::~Fiber() = default;

std::string_view to_string(FiberState state) {
    switch (state) {
        case FiberState::pending:
            return "PENDING";
        case FiberState::loading:
            return "LOADING";
        case FiberState::active:
            return "ACTIVE";
        case FiberState::failed:
            return "FAILED";
        case FiberState::disposed:
            return "DISPOSED";
        case FiberState::unloading:
            return "UNLOADING";
    }
    return "unknown";
}

FiberImpl::FiberImpl(
    std::shared_ptr<ContainerCore> core,
    std::shared_ptr<const Context::Node> outer,
    Application application
)
    : core_(std::move(core)),
      outer_(std::move(outer)),
      plugin_(std::move(application.plugin)),
      config_(std::move(application.config)),
      idle_(core_->strand),
      disposed_(core_->strand) {
    if (outer_ == nullptr) {
        uid_ = 0;
        state_ = FiberState::active;
        return;
    }
    number_ = core_->next_uid();
    uid_ = number_;
    for (const Injection& service : plugin_->inject) {
        add_requirement(service);
    }
    PluginOptions options = std::move(application.options);
    for (const Injection& service : options.inject) {
        add_requirement(service);
    }
    if (options.resolve_config || !options.name.empty()) {
        options.inject = {};
        options_ = std::make_unique<const PluginOptions>(std::move(options));
    }
}

FiberImpl::~FiberImpl() = default;

std::string FiberImpl::name() const {
    if (options_ && !options_->name.empty()) {
        return options_->name;
    }
    if (plugin_ && !plugin_->name.empty()) {
        return plugin_->name;
    }
    return outer_ ? outer_->fiber->name() : "root";
}

std::exception_ptr FiberImpl::error() const noexcept {
    return state_ == FiberState::failed ? error_ : nullptr;
}

Context FiberImpl::context() {
    return make_context();
}

Context FiberImpl::make_context() const {
    const auto self = std::const_pointer_cast<Fiber>(shared_from_this());
    return Context{std::make_shared<ContextNode>(
        std::static_pointer_cast<FiberImpl>(self), outer_, overrides_
    )};
}

void FiberImpl::request_dispose() {
    // Through the parent's effect, so that the parent's list says at any time what is left to do.
    if (const auto membership = membership_.lock()) {
        membership->start();
    } else {
        begin_dispose();
    }
}

FiberPtr FiberImpl::parent_fiber() const {
    return outer_ ? outer_->fiber : nullptr;
}

FiberImpl* FiberImpl::parent() const noexcept {
    return outer_ ? outer_->fiber.get() : nullptr;
}

bool FiberImpl::is_open() const noexcept {
    return uid_ && (state_ == FiberState::loading || state_ == FiberState::active);
}

void FiberImpl::require_alive() const {
    if (!uid_) {
        throw inactive();
    }
}

void FiberImpl::require_open() const {
    if (!is_open()) {
        throw inactive();
    }
}

std::vector<EffectInfo> FiberImpl::effect_tree() const {
    std::vector<EffectInfo> tree;
    for (const auto& effect : effects_) {
        tree.push_back(effect->info());
    }
    return tree;
}

Effect FiberImpl::attach(std::string label, Undo undo) {
    const bool is_waiting = uid_ && state_ == FiberState::pending && !in_flight_;
    if (!is_waiting) {
        require_open();
    }
    EffectPlan plan;
    plan.label = std::move(label);
    plan.finish = std::move(undo);
    return Effect{add_effect(std::move(plan))};
}

void FiberImpl::fail_effect(const std::string& problem) {
    log(LogLevel::error, problem);
    if (state_ == FiberState::loading && uid_ && !effect_error_) {
        effect_error_ = std::make_exception_ptr(Error{problem, "EFFECT_FAILED"});
    }
}

void FiberImpl::join_parent() {
    const auto membership = membership_.lock();
    const auto owner = membership ? membership->owner.lock() : nullptr;
    const auto& fiber = outer_->fiber;
    if (owner && owner != fiber && membership->enclosing.expired()) {
        fiber->effects_.splice(fiber->effects_.end(), owner->effects_, membership->position);
        membership->owner = fiber;
    }
}

std::shared_ptr<Effect::State> FiberImpl::add_effect(EffectPlan plan) {
    auto effect = std::make_shared<Effect::State>(shared(), std::move(plan));
    effect->position = effects_.insert(effects_.end(), effect);
    return effect;
}

asio::any_io_executor FiberImpl::executor(const std::shared_ptr<Effect::State>& effect) {
    return FiberExecutor{Work{core_->strand, shared(), effect}};
}

void FiberImpl::log(LogLevel level, std::string_view message) {
    context().log(level, message);
}

void FiberImpl::report_holders(const Implementation& implementation) {
    const std::vector<std::string> holders = implementation.holders();
    if (!holders.empty()) {
        log(LogLevel::warn,
            fmt::format(
                "service \"{}\" was withdrawn but is still held by {}",
                implementation.slot().name,
                join(holders)
            ));
    }
}

void FiberImpl::request_restart() {
    require_alive();
    ++restart_generation_;
    forget_failure();
    reevaluate();
}

void FiberImpl::replace_config(Value config) {
    require_alive();
    config_ = std::move(config);
    ++config_generation_;
    forget_failure();
    reevaluate();
}

Value FiberImpl::resolve_config(const Value& raw) {
    Value config = run_config_chain(*this, raw, [this, &raw] {
        const bool is_resolved = options_ && options_->resolve_config;
        return is_resolved ? options_->resolve_config(context(), raw) : raw;
    });
    const PluginPtr plugin = plugin_;
    const auto check = plugin ? plugin->schema.check : nullptr;
    std::vector<Diagnostic> errors;
    for (Diagnostic& problem : check ? check(config) : std::vector<Diagnostic>{}) {
        if (problem.severity == Severity::warning) {
            log(LogLevel::warn, to_string(problem));
        } else {
            errors.push_back(std::move(problem));
        }
    }
    if (!errors.empty()) {
        throw ConfigError{std::move(errors)};
    }
    return config;
}

}  // namespace cordon
