#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cordon {

std::vector<std::string> FiberImpl::missing() const {
    std::vector<std::string> names;
    for (const std::string& name : required_) {
        if (!find_available(name)) {
            names.push_back(name);
        }
    }
    return names;
}

const std::vector<std::string>& FiberImpl::required() const noexcept {
    return required_;
}

void FiberImpl::require(const Injection& service) {
    if (is_published_) {
        throw Error{
            fmt::format(
                "'{}' cannot require '{}' any more: what a fiber requires is fixed once it has "
                "been "
                "created. Apply the plugin again with the requirement.",
                name(),
                service.name
            ),
            "REQUIREMENTS_FIXED"};
    }
    const bool is_new = add_requirement(service);
    if (is_new && uid_) {
        core_->fibers.add_requirement(*this, service.name);
    }
}

bool FiberImpl::add_requirement(const Injection& service) {
    if (!service.config.empty()) {
        ContextNode::Overrides overrides = overrides_ ? *overrides_ : ContextNode::Overrides{};
        Object& layer = overrides.layers[service.name];
        layer = merge_layers({layer, service.config});
        overrides_ = ContextNode::shared(std::move(overrides));
    }
    const bool is_new =
        std::find(required_.begin(), required_.end(), service.name) == required_.end();
    if (is_new) {
        required_.push_back(service.name);
    }
    return is_new;
}

SlotKey FiberImpl::slot_of(std::string_view service) const {
    return outer_ ? outer_->slot_of(service) : SlotKey{std::string{service}, {}};
}

bool FiberImpl::requires_slot(const SlotKey& slot) const {
    return std::find(required_.begin(), required_.end(), slot.name) != required_.end() &&
           slot_of(slot.name) == slot;
}

ImplementationPtr FiberImpl::find_service(const SlotKey& slot) const {
    ImplementationPtr injected =
        slot_of(slot.name) == slot ? services_.find_injected(slot.name) : nullptr;
    return injected ? injected : services_.find_provided(slot);
}

bool FiberImpl::look_again(const std::vector<SlotKey>& slots) {
    bool is_concerned = false;
    for (const SlotKey& slot : slots) {
        if (requires_slot(slot)) {
            std::erase_if(verdicts_, [&](const Verdict& known) {
                return known.service == slot.name;
            });
            is_concerned = true;
        }
    }
    if (is_concerned) {
        reevaluate();
    }
    return is_concerned;
}

void FiberImpl::look_again() {
    verdicts_.clear();
    reevaluate();
}

ImplementationPtr FiberImpl::find_available(const std::string& service) const {
    ImplementationPtr found = core_->registry.find_visible(slot_of(service));
    if (!found || !found->has_condition()) {
        return found;
    }
    const auto known =
        std::find_if(verdicts_.begin(), verdicts_.end(), [&](const Verdict& verdict) {
            return verdict.service == service;
        });
    if (known != verdicts_.end() && known->implementation == found->id()) {
        return known->is_available ? found : nullptr;
    }
    // Asked first: what it asks may lead back to here.
    const bool is_available = found->is_available_to(make_context());
    std::erase_if(verdicts_, [&](const Verdict& verdict) { return verdict.service == service; });
    verdicts_.push_back(Verdict{service, found->id(), is_available});
    return is_available ? found : nullptr;
}

std::optional<std::vector<ImplementationPtr>> FiberImpl::available() const {
    std::vector<ImplementationPtr> implementations;
    implementations.reserve(required_.size());
    for (const std::string& name : required_) {
        ImplementationPtr found = find_available(name);
        if (!found) {
            return std::nullopt;
        }
        implementations.push_back(std::move(found));
    }
    return implementations;
}

std::optional<FiberImpl::Basis> FiberImpl::wanted() const {
    const auto implementations = uid_ ? available() : std::nullopt;
    if (!implementations) {
        return std::nullopt;
    }
    Basis basis{{}, config_generation_, restart_generation_};
    for (const ImplementationPtr& implementation : *implementations) {
        basis.services.push_back(implementation->id());
    }
    return basis;
}

bool FiberImpl::is_load_due() const {
    const auto basis = wanted();
    // A failure is not tried again from the same state of affairs (spec DIF-28).
    const bool is_new = !error_ || basis != basis_;
    // Under a parent that unloads it would only be started to be disposed of.
    return basis && is_new && (parent() == nullptr || parent()->is_open());
}

}  // namespace cordon
