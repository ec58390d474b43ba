#include "fiber_table.hpp"

#include "fiber_impl.hpp"

namespace cordon {

void FiberTable::add(const std::shared_ptr<FiberImpl>& fiber) {
    ++added_;
    Record& record = records_[fiber->plugin().get()];
    if (record.fibers == 0) {
        record.order = added_;
    }
    ++record.fibers;
    const Position position{record.order, added_};
    fibers_.emplace(position, fiber);
    positions_.emplace(fiber.get(), position);
}

void FiberTable::remove(const FiberImpl& fiber) {
    const auto position = positions_.find(&fiber);
    if (position == positions_.end()) {
        return;
    }
    const auto record = records_.find(fiber.plugin().get());
    if (--record->second.fibers == 0) {
        records_.erase(record);
    }
    fibers_.erase(position->second);
    positions_.erase(position);
}

void FiberTable::clear() {
    records_.clear();
    positions_.clear();
    fibers_.clear();
}

std::vector<std::shared_ptr<FiberImpl>> FiberTable::all() const {
    std::vector<std::shared_ptr<FiberImpl>> fibers;
    fibers.reserve(fibers_.size());
    for (const auto& [position, fiber] : fibers_) {
        fibers.push_back(fiber);
    }
    return fibers;
}

}  // namespace cordon
