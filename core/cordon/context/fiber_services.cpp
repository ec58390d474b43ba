#include "fiber_services.hpp"

#include <algorithm>
#include <utility>

namespace cordon {

ImplementationPtr FiberServices::find_injected(std::string_view name) const {
    const auto found =
        std::find_if(injected_.begin(), injected_.end(), [name](const auto& injected) {
            return injected->slot().name == name;
        });
    return found == injected_.end() ? nullptr : *found;
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
        return injected.get() == &implementation;
    });
}

void FiberServices::inject(std::vector<ImplementationPtr> implementations) {
    injected_ = std::move(implementations);
    for (const ImplementationPtr& implementation : injected_) {
        implementation->add_user();
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
    for (const ImplementationPtr& implementation : std::exchange(injected_, {})) {
        implementation->remove_user();
    }
    return std::exchange(provided_, {});
}

void FiberServices::clear() {
    injected_.clear();
    provided_.clear();
}

}  // namespace cordon
