#include "container_core.hpp"
#include "context_node.hpp"
#include "fiber_impl.hpp"
#include "provide.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/movable_context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace cordon {
namespace {

using Moves = std::vector<std::pair<ImplementationPtr, SlotKey>>;

/// What has to change its slot, now that the labels have changed.
Moves moves_beneath(const ContextNode& node) {
    Moves moves;
    for (const ImplementationPtr& implementation : node.fiber->core().registry.all()) {
        if (implementation->node()->is_beneath(node)) {
            SlotKey target = implementation->node()->slot_of(implementation->slot().name);
            if (target != implementation->slot()) {
                moves.emplace_back(implementation, std::move(target));
            }
        }
    }
    return moves;
}

void refuse_taken_slots(const Registry& registry, const Moves& moves) {
    std::set<SlotKey> targets;
    for (const auto& [implementation, target] : moves) {
        const ImplementationPtr taken = registry.find(target);
        const bool is_leaving = std::any_of(moves.begin(), moves.end(), [&](const auto& other) {
            return other.first == taken;
        });
        if (taken && !is_leaving) {
            throw_occupied(*taken);
        }
        if (!targets.insert(target).second) {
            throw_occupied(*implementation);
        }
    }
}

void refuse_circle(const ContextNode& node, const ContextNode& parent) {
    bool is_circle = parent.is_beneath(node);
    for (const FiberImpl* fiber = parent.fiber.get(); fiber != nullptr; fiber = fiber->parent()) {
        is_circle = is_circle || (fiber->outer() && fiber->outer()->is_beneath(node));
    }
    if (is_circle) {
        throw Error{
            fmt::format(
                "cannot move a context beneath itself, into {}", parent.fiber->context().describe()
            ),
            "SCOPE_CYCLE"};
    }
}

std::vector<std::shared_ptr<FiberImpl>> fibers_beneath(const ContextNode& node) {
    auto fibers = node.fiber->core().fibers.all();
    std::erase_if(fibers, [&](const auto& fiber) { return !fiber->outer()->is_beneath(node); });
    return fibers;
}

/// Has everybody look at what has come to another place.
void announce_moves(ContainerCore& core, const Moves& moves, const std::vector<SlotKey>& left) {
    std::vector<SlotKey> slots = left;
    for (const auto& [implementation, target] : moves) {
        if (std::find(slots.begin(), slots.end(), target) == slots.end()) {
            slots.push_back(target);
        }
    }
    for (const SlotKey& slot : slots) {
        core.announce(slot);
    }
}

}  // namespace

MovableContext::MovableContext(const Context& parent, const ScopeOverrides& overrides)
    : node_(std::make_shared<ContextNode>(parent.node()->fiber, parent.node())) {
    override_scope(overrides);
}

Context MovableContext::context() const {
    return Context{node_};
}

void MovableContext::override_scope(const ScopeOverrides& wanted) {
    ContextNode::Overrides overrides;
    for (const auto& [service, label] : wanted.isolate) {
        overrides.labels.emplace(service, label ? shared_label(*label) : private_label(service));
    }
    overrides.layers.insert(wanted.intercept.begin(), wanted.intercept.end());
    node_->overrides = ContextNode::shared(std::move(overrides));
}

void MovableContext::move(const Context& parent, const ScopeOverrides& overrides) {
    const std::shared_ptr<ContextNode>& outer = parent.node();
    outer->fiber->require_open();
    refuse_circle(*node_, *outer);

    ContainerCore& core = outer->fiber->core();
    const auto old_parent = std::exchange(node_->parent, outer);
    const auto old_overrides = node_->overrides;
    override_scope(overrides);
    const Moves moves = moves_beneath(*node_);
    try {
        refuse_taken_slots(core.registry, moves);
    } catch (...) {
        node_->parent = old_parent;
        node_->overrides = old_overrides;
        throw;
    }

    std::vector<SlotKey> left;
    for (const auto& [implementation, target] : moves) {
        left.push_back(implementation->slot());
    }
    core.registry.move(moves);
    const auto beneath = fibers_beneath(*node_);
    node_->fiber = outer->fiber;
    for (const auto& fiber : beneath) {
        if (fiber->outer() == node_) {
            fiber->join_parent();
        }
    }
    announce_moves(core, moves, left);
    for (const auto& fiber : beneath) {
        fiber->look_again();
    }
}

std::string MovableContext::private_label(const std::string& service) {
    std::string& label = private_labels_[service];
    if (label.empty()) {
        label = unique_label(node_->fiber->core());
    }
    return label;
}

}  // namespace cordon
