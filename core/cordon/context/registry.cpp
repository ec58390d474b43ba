#include "registry.hpp"

#include "fiber_impl.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace cordon {

/// Shared by all handles of one fiber on one implementation, so its use count is their number.
struct Implementation::Pin {
    std::string owner;
};

Implementation::Implementation(
    Origin origin, std::shared_ptr<Service> service, const boost::asio::any_io_executor& strand
)
    : origin_(std::move(origin)), service_(std::move(service)), released_(strand) {}

bool Implementation::is_visible() const {
    const auto fiber = provider();
    return fiber && fiber->state() == FiberState::active;
}

bool Implementation::is_available_to(const Context& dependent) const {
    try {
        return !origin_.available || origin_.available(dependent);
    } catch (...) {
        if (const auto fiber = provider()) {
            fiber->log(
                LogLevel::error,
                fmt::format(
                    "the condition of service \"{}\" failed for '{}': {}",
                    slot().name,
                    dependent.fiber()->name(),
                    message_of(std::current_exception())
                )
            );
        }
        return false;
    }
}

void Implementation::remove_user() {
    --users_;
    if (withdrawn_ && users_ == 0) {
        released_.complete();
    }
}

void Implementation::withdraw() {
    withdrawn_ = true;
    if (users_ == 0) {
        released_.complete();
    }
}

ServiceHandle<Service> Implementation::pin(const FiberImpl& owner) {
    sweep_pins();
    std::weak_ptr<Pin>& slot = pins_[owner.number()];
    std::shared_ptr<Pin> pin = slot.lock();
    if (!pin) {
        pin = std::make_shared<Pin>(Pin{owner.name()});
        slot = pin;
    }
    return ServiceHandle<Service>{service_, std::move(pin)};
}

void Implementation::sweep_pins() {
    if (pins_.size() < sweep_pins_at_) {
        return;
    }
    std::erase_if(pins_, [](const auto& pin) { return pin.second.expired(); });
    // Twice what is in use: a look-up pays for the owners of a few others, not of all.
    sweep_pins_at_ = std::max<std::size_t>(16, 2 * pins_.size());
}

std::vector<std::string> Implementation::holders() const {
    std::vector<std::string> names;
    for (const auto& [owner, slot] : pins_) {
        const auto pin = slot.lock();
        if (!pin) {
            continue;
        }
        const auto handles = slot.use_count() - 1;
        names.push_back(
            handles == 1 ? pin->owner : fmt::format("{} ({} handles)", pin->owner, handles)
        );
    }
    return names;
}

ImplementationPtr Registry::find(const SlotKey& slot) const {
    const auto found = slots_.find(slot);
    return found == slots_.end() ? nullptr : found->second;
}

ImplementationPtr Registry::find_visible(const SlotKey& slot) const {
    ImplementationPtr found = find(slot);
    return found && found->is_visible() ? found : nullptr;
}

void Registry::fill(ImplementationPtr implementation) {
    const SlotKey slot = implementation->slot();
    names_.insert(slot.name);
    slots_.emplace(slot, std::move(implementation));
}

void Registry::empty(const Implementation& implementation) {
    const auto found = slots_.find(implementation.slot());
    if (found != slots_.end() && found->second.get() == &implementation) {
        slots_.erase(found);
    }
}

void Registry::move(const std::vector<std::pair<ImplementationPtr, SlotKey>>& moves) {
    for (const auto& [implementation, target] : moves) {
        empty(*implementation);
    }
    for (const auto& [implementation, target] : moves) {
        implementation->origin_.slot = target;
        slots_.insert_or_assign(target, implementation);
    }
}

std::vector<ImplementationPtr> Registry::all() const {
    std::vector<ImplementationPtr> implementations;
    for (const auto& [slot, implementation] : slots_) {
        implementations.push_back(implementation);
    }
    return implementations;
}

std::vector<std::string> Registry::known_names() const {
    return {names_.begin(), names_.end()};
}

}  // namespace cordon
