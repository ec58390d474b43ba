#include "provider_index.hpp"

#include "container_core.hpp"
#include "fiber_impl.hpp"

#include <algorithm>

namespace cordon {

ProviderIndex::ProviderIndex(const ContainerCore& core) : core_(core), fibers_(core.fibers.all()) {
    std::sort(fibers_.begin(), fibers_.end(), [](const auto& left, const auto& right) {
        return left->uid() < right->uid();
    });
    for (const auto& fiber : fibers_) {
        for (const std::string& service : fiber->plugin()->provides) {
            Fibers& declaring = declaring_[service];
            if (declaring.empty() || declaring.back() != fiber) {
                declaring.push_back(fiber);
            }
        }
    }
}

const ProviderIndex::Fibers& ProviderIndex::declaring(std::string_view service) const {
    static const Fibers kNobody;
    const auto found = declaring_.find(service);
    return found == declaring_.end() ? kNobody : found->second;
}

ProviderIndex::Fibers ProviderIndex::providers_of(const SlotKey& slot) const {
    Fibers providers;
    for (const auto& fiber : declaring(slot.name)) {
        if (fiber->slot_of(slot.name) == slot) {
            providers.push_back(fiber);
        }
    }
    const ImplementationPtr filled = core_.registry.find(slot);
    if (const auto holder = filled ? filled->provider() : nullptr) {
        std::erase(providers, holder);
        providers.push_back(holder);
    }
    return providers;
}

std::vector<std::string> ProviderIndex::known_names() const {
    std::vector<std::string> names = core_.registry.known_names();
    for (const auto& [service, fibers] : declaring_) {
        names.push_back(service);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace cordon
