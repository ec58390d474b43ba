#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>
#include <cordon/context/service.hpp>

#include <concepts>
#include <vector>

namespace cordon {

/// What callers ask of a service, outermost first. A later layer overrides an earlier one.
using InterceptLayers = std::vector<Object>;

/// The keys of all layers, each with the value of the last layer that has it: nested mappings are
/// replaced, not merged (spec CTX-17).
[[nodiscard]] CORDON_API Object merge_layers(const InterceptLayers& layers);

/// A service definition with a merge of its own, used instead of `merge_layers` (spec CTX-17).
template <typename S>
concept MergesLayers = ServiceDefinition<S> && requires(const InterceptLayers& layers) {
    { S::merge_layers(layers) } -> std::same_as<Object>;
};

}  // namespace cordon
