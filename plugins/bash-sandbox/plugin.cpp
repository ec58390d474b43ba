#include "bash_program.hpp"
#include "config.hpp"
#include "executor.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/context/context.hpp>
#include <cordon/context/plugin.hpp>

#include <memory>
#include <string>
#include <utility>

namespace cordon::bash_sandbox {
namespace {

Task<> apply(Context context, Value raw) {
    Config config = decode_config(raw);
    auto finding = offload(&find_bash);
    auto candidates = co_await std::move(finding);
    auto executor =
        std::make_shared<BashSandbox>(context, std::move(config), std::move(candidates));
    context.provide<ShellExecutor>(std::move(executor));
}

PluginPtr describe() {
    auto plugin = std::make_shared<PluginDescriptor>();
    plugin->name = "bash-sandbox";
    plugin->version = "0.1.0";
    plugin->inject = {
        std::string{SubprocessService::service_name},
        std::string{SandboxProvider::service_name},
        std::string{SandboxPolicyService::service_name},
    };
    plugin->provides = {std::string{ShellExecutor::service_name}};
    plugin->schema = config_schema();
    plugin->apply = &apply;
    return plugin;
}

}  // namespace
}  // namespace cordon::bash_sandbox

CORDON_PLUGIN(cordon::bash_sandbox::describe);
