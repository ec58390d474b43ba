#include "fiber_services.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cordon {

ImplementationPtr FiberServices::find_injected(std::string_view name) const {
    const auto injected = injected_.find(name);
    return injected == injected_.end() ? nullptr : injected->second;
}

ImplementationPtr FiberServices::find_provided(const SlotKey& slot) const {
    // From the end: one that has been withdrawn stays until nobody works with it any more.
    const auto own = std::find_if(provided_.rbegin(), provided_.rend(), [&](const auto& provided) {
        return provided->slot() == slot;
    });
    return own == provided_.rend() ? nullptr : *own;
}

std::vector<ImplementationPtr> FiberServices::offered() const {
    std::vector<ImplementationPtr> offered = provided_;
    std::erase_if(offered, [](const ImplementationPtr& own) { return own->is_withdrawn(); });
    return offered;
}

bool FiberServices::has_injected(const Implementation& implementation) const {
    return std::any_of(injected_.begin(), injected_.end(), [&](const auto& injected) {
        return injected.second.get() == &implementation;
    });
}

void FiberServices::inject(
    const std::vector<std::string>& names, const std::vector<ImplementationPtr>& implementations
) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        implementations[index]->add_user();
        injected_.emplace(names[index], implementations[index]);
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
    for (const auto& [name, implementation] : std::exchange(injected_, {})) {
        implementation->remove_user();
    }
    return std::exchange(provided_, {});
}

void FiberServices::clear() {
    injected_.clear();
    provided_.clear();
}

}  // namespace cordon
