#include "fiber_services.hpp"

#include <utility>

namespace cordon {

ImplementationPtr FiberServices::find(const SlotKey& slot) const {
    const auto injected = injected_.find(slot);
    if (injected != injected_.end()) {
        return injected->second;
    }
    for (const ImplementationPtr& own : provided_) {
        if (own->slot() == slot) {
            return own;
        }
    }
    return nullptr;
}

bool FiberServices::has_injected(const Implementation& implementation) const {
    const auto found = injected_.find(implementation.slot());
    return found != injected_.end() && found->second.get() == &implementation;
}

void FiberServices::inject(const std::vector<ImplementationPtr>& implementations) {
    for (const ImplementationPtr& implementation : implementations) {
        implementation->add_user();
        injected_.emplace(implementation->slot(), implementation);
    }
}

void FiberServices::add_provided(const ImplementationPtr& implementation) {
    provided_.push_back(implementation);
}

void FiberServices::remove_provided(const Implementation& implementation) {
    std::erase_if(provided_, [&](const ImplementationPtr& own) {
        return own.get() == &implementation;
    });
}

std::vector<ImplementationPtr> FiberServices::release() {
    for (const auto& [slot, implementation] : std::exchange(injected_, {})) {
        implementation->remove_user();
    }
    return std::exchange(retired_, {});
}

}  // namespace cordon
