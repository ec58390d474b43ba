#include "context_node.hpp"

#include "container_core.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cordon {

std::string ContextNode::label_of(std::string_view name) const {
    for (const ContextNode* node = this; node != nullptr; node = node->parent.get()) {
        if (!node->overrides) {
            continue;
        }
        const auto label = node->overrides->labels.find(name);
        if (label != node->overrides->labels.end()) {
            return label->second;
        }
    }
    return {};
}

InterceptLayers ContextNode::layers_of(std::string_view service) const {
    InterceptLayers layers;
    for (const ContextNode* node = this; node != nullptr; node = node->parent.get()) {
        if (!node->overrides) {
            continue;
        }
        const auto layer = node->overrides->layers.find(service);
        if (layer != node->overrides->layers.end()) {
            layers.push_back(layer->second);
        }
    }
    std::reverse(layers.begin(), layers.end());
    return layers;
}

const std::any* ContextNode::property(std::string_view name) const {
    for (const ContextNode* node = this; node != nullptr; node = node->parent.get()) {
        if (!node->overrides) {
            continue;
        }
        const auto property = node->overrides->properties.find(name);
        if (property != node->overrides->properties.end()) {
            return &property->second;
        }
    }
    return nullptr;
}

bool ContextNode::is_beneath(const ContextNode& other) const {
    for (const ContextNode* node = this; node != nullptr; node = node->parent.get()) {
        if (node == &other) {
            return true;
        }
    }
    return false;
}

std::string unique_label(ContainerCore& core) {
    return fmt::format("#{}", core.next_number());
}

std::string shared_label(std::string_view label) {
    return fmt::format("@{}", label);
}

}  // namespace cordon
