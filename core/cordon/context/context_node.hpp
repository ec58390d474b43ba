#pragma once

#include "registry.hpp"

#include <cordon/config/value.hpp>
#include <cordon/context/context.hpp>

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cordon {

class ContainerCore;

/// What a context refers to. Everything is looked up through the parents at the moment of use, so a
/// node holds its own overrides only (spec CTX-7, CTX-23).
class ContextNode : public std::enable_shared_from_this<ContextNode> {
public:
    template <typename T>
    using ByName = std::map<std::string, T, std::less<>>;

    struct Overrides {
        ByName<std::string> labels;
        /// One intercept layer for each of these services.
        ByName<Object> layers;
        ByName<std::any> properties;

        [[nodiscard]] bool empty() const noexcept {
            return labels.empty() && layers.empty() && properties.empty();
        }
    };

    /// Null for none: every fiber makes such nodes, and most have nothing to say.
    using OverridesPtr = std::shared_ptr<const Overrides>;

    ContextNode(
        std::shared_ptr<FiberImpl> owner,
        std::shared_ptr<const ContextNode> outer,
        OverridesPtr changes = nullptr
    )
        : fiber(std::move(owner)), parent(std::move(outer)), overrides(std::move(changes)) {}

    [[nodiscard]] static OverridesPtr shared(Overrides overrides) {
        return overrides.empty() ? nullptr
                                 : std::make_shared<const Overrides>(std::move(overrides));
    }

    [[nodiscard]] std::string label_of(std::string_view name) const;

    [[nodiscard]] SlotKey slot_of(std::string_view name) const {
        return SlotKey{std::string{name}, label_of(name)};
    }

    /// Outermost first.
    [[nodiscard]] InterceptLayers layers_of(std::string_view service) const;

    /// Null where nobody up to the root has it.
    [[nodiscard]] const std::any* property(std::string_view name) const;

    [[nodiscard]] bool is_beneath(const ContextNode& other) const;

    // Only a MovableContext changes these, and only on the strand.
    std::shared_ptr<FiberImpl> fiber;
    /// Null for the root's own.
    std::shared_ptr<const ContextNode> parent;
    OverridesPtr overrides;
};

// The first character keeps the three kinds of labels apart: none for the outermost scope.

/// Of a slot that nobody else has.
[[nodiscard]] std::string unique_label(ContainerCore& core);
/// Of the slot of everybody who says `label`.
[[nodiscard]] std::string shared_label(std::string_view label);

}  // namespace cordon
