#include "service.hpp"

#include <cordon/config/decode.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/plugin.hpp>

#include <boost/describe.hpp>
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

namespace cordon::subprocess_local {

struct Config {
    std::chrono::milliseconds grace{EndTimes{}.grace};
    std::chrono::milliseconds drain{EndTimes{}.drain};
};

BOOST_DESCRIBE_STRUCT(Config, (), (grace, drain))

namespace {

EndTimes end_times(const Config& config) {
    constexpr std::chrono::milliseconds kLongest{std::numeric_limits<std::int32_t>::max()};
    if (config.grace <= config.grace.zero() || config.grace > kLongest) {
        throw Error{"subprocess-local: graceMs must be from 1 to 2147483647"};
    }
    if (config.drain > kLongest) {
        throw Error{"subprocess-local: drainMs must be from 0 to 2147483647"};
    }
    return EndTimes{config.grace, config.drain};
}

Task<> end_all(std::shared_ptr<LocalSubprocess> service) {
    co_await service->stop();
}

Task<> apply(Context context, Value raw) {
    const EndTimes times = end_times(decode<Config>(raw));
    auto service = std::make_shared<LocalSubprocess>(
        context.executor(),
        times,
        [context](const std::string& name, const std::exception_ptr& failure) {
            context.log(LogLevel::warn, fmt::format("{}: {}", name, message_of(failure)));
        }
    );
    // Before the service is shown, so that whoever uses it is gone when the processes are ended.
    context.effect("processes", [service] { return end_all(service); });
    context.provide<SubprocessService>(service);
    co_return;
}

PluginPtr describe() {
    auto plugin = std::make_shared<PluginDescriptor>();
    plugin->name = "subprocess-local";
    plugin->version = "0.1.0";
    plugin->provides = {std::string{SubprocessService::service_name}};
    plugin->schema = schema_of<Config>();
    plugin->apply = &apply;
    return plugin;
}

}  // namespace
}  // namespace cordon::subprocess_local

CORDON_PLUGIN(cordon::subprocess_local::describe);
