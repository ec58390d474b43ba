#pragma once

#include "registry.hpp"

#include <cordon/context/context.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cordon {

/// What a context refers to. Labels are looked up through the parents at the moment of use, so a
/// node holds its own overrides only (spec CTX-7, CTX-23).
class ContextNode {
public:
    using Labels = std::map<std::string, std::string, std::less<>>;

    ContextNode(
        std::shared_ptr<FiberImpl> owner,
        std::shared_ptr<const ContextNode> outer,
        Labels overrides = {}
    )
        : fiber(std::move(owner)), parent(std::move(outer)), labels(std::move(overrides)) {}

    [[nodiscard]] std::string label_of(std::string_view name) const {
        for (const ContextNode* node = this; node != nullptr; node = node->parent.get()) {
            const auto label = node->labels.find(name);
            if (label != node->labels.end()) {
                return label->second;
            }
        }
        return {};
    }

    [[nodiscard]] SlotKey slot_of(std::string_view name) const {
        return SlotKey{std::string{name}, label_of(name)};
    }

    const std::shared_ptr<FiberImpl> fiber;
    /// Null for the root's own.
    const std::shared_ptr<const ContextNode> parent;
    const Labels labels;
};

}  // namespace cordon
