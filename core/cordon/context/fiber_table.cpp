#include "fiber_table.hpp"

#include "fiber_impl.hpp"

namespace cordon {

void FiberTable::add(const std::shared_ptr<FiberImpl>& fiber) {
    Record& record = records_[fiber->plugin().get()];
    if (record.fibers == 0) {
        record.order = fiber->number();
    }
    ++record.fibers;
    const Position position = position_of(*fiber);
    fibers_.emplace(position, fiber);
    for (const std::string& service : fiber->required()) {
        by_service_[service].emplace(position, fiber);
    }
}

void FiberTable::remove(const FiberImpl& fiber) {
    const auto record = records_.find(fiber.plugin().get());
    if (record == records_.end()) {
        return;
    }
    const Position position{record->second.order, fiber.number()};
    if (fibers_.erase(position) == 0) {
        return;
    }
    if (--record->second.fibers == 0) {
        records_.erase(record);
    }
    for (const std::string& service : fiber.required()) {
        const auto dependents = by_service_.find(service);
        dependents->second.erase(position);
        if (dependents->second.empty()) {
            by_service_.erase(dependents);
        }
    }
}

FiberTable::Position FiberTable::position_of(const FiberImpl& fiber) const {
    return {records_.at(fiber.plugin().get()).order, fiber.number()};
}

void FiberTable::clear() {
    records_.clear();
    by_service_.clear();
    fibers_.clear();
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::all() const {
    return copy(fibers_);
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::requiring(std::string_view service) const {
    const auto dependents = by_service_.find(service);
    return dependents == by_service_.end() ? std::vector<std::shared_ptr<FiberImpl>>{}
                                           : copy(dependents->second);
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::requiring(
    const std::vector<std::string>& services
) const {
    Fibers concerned;
    for (const std::string& service : services) {
        const auto dependents = by_service_.find(service);
        if (dependents != by_service_.end()) {
            concerned.insert(dependents->second.begin(), dependents->second.end());
        }
    }
    return copy(concerned);
}

std::vector<std::shared_ptr<const PluginDescriptor>> FiberTable::plugins() const {
    std::vector<std::shared_ptr<const PluginDescriptor>> plugins;
    plugins.reserve(records_.size());
    for (const auto& [position, fiber] : fibers_) {
        // The fibers of one plugin stand together.
        if (plugins.empty() || plugins.back() != fiber->plugin()) {
            plugins.push_back(fiber->plugin());
        }
    }
    return plugins;
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::fibers_of(const PluginDescriptor& plugin
) const {
    std::vector<std::shared_ptr<FiberImpl>> fibers;
    const auto record = records_.find(&plugin);
    if (record == records_.end()) {
        return fibers;
    }
    fibers.reserve(record->second.fibers);
    for (auto member = fibers_.lower_bound({record->second.order, 0});
         member != fibers_.end() && member->first.first == record->second.order;
         ++member) {
        fibers.push_back(member->second);
    }
    return fibers;
}

void FiberTable::add_requirement(const FiberImpl& fiber, const std::string& service) {
    const Position position = position_of(fiber);
    by_service_[service].emplace(position, fibers_.at(position));
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::copy(const Fibers& from) {
    std::vector<std::shared_ptr<FiberImpl>> fibers;
    fibers.reserve(from.size());
    for (const auto& [position, fiber] : from) {
        fibers.push_back(fiber);
    }
    return fibers;
}

}  // namespace cordon
