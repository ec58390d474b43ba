#pragma once

#include <cordon/async/task.hpp>
#include <cordon/config/decode.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/inject.hpp>
#include <cordon/context/plugin.hpp>

#include <boost/describe.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// The plain part of a plugin; see PluginDescriptor for the members.
struct PluginFacts {
    // Initialisers, so that designated ones may leave members out without a warning.
    std::string name = {};
    std::string version = {};
    Inject inject = {};
    std::vector<std::string> provides = {};
};

/// The config of a plugin that has none: every key is refused.
struct NoConfig {};

BOOST_DESCRIBE_STRUCT(NoConfig, (), ())

/// A plugin whose config is a described struct (decode.hpp), checked and decoded before its body
/// runs:
///
///     Task<> start(Context context, Config config);
///
///     PluginPtr describe() {
///         return make_plugin({.name = "shell", .inject = {"sandbox"}}, &start);
///     }
template <DescribedStruct Config>
[[nodiscard]] PluginPtr make_plugin(PluginFacts facts, Task<> (*start)(Context, Config)) {
    PluginDescriptor descriptor;
    descriptor.name = std::move(facts.name);
    descriptor.version = std::move(facts.version);
    descriptor.inject = std::move(facts.inject);
    descriptor.provides = std::move(facts.provides);
    descriptor.schema = schema_of<Config>();
    descriptor.apply = [start](Context context, const Value& config) {
        return start(std::move(context), decode<Config>(config));
    };
    return std::make_shared<const PluginDescriptor>(std::move(descriptor));
}

}  // namespace cordon
