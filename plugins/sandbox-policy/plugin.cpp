#include "policy_service.hpp"

#include <cordon/base/error.hpp>
#include <cordon/context/make_plugin.hpp>

#include <boost/describe.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <errno.h>
#include <limits.h>
#include <unistd.h>

namespace cordon {

BOOST_DESCRIBE_ENUM(SandboxMode, read_only, workspace_write, danger_full_access)

}  // namespace cordon

namespace cordon::sandbox_policy {

struct Config {
    SandboxMode mode = SandboxMode::read_only;
    /// Absent: the working directory of the process when the plugin starts.
    std::optional<std::string> workspace_root;
};

BOOST_DESCRIBE_STRUCT(Config, (), (mode, workspace_root))

namespace {

std::string working_directory() {
    char path[PATH_MAX];
    if (::getcwd(path, sizeof path) == nullptr) {
        throw system_error("getcwd", "the working directory of this process", errno);
    }
    return path;
}

Task<> start(Context context, Config config) {
    std::string root =
        config.workspace_root ? std::move(*config.workspace_root) : working_directory();
    context.provide<SandboxPolicyService>(
        std::make_shared<PolicyService>(config.mode, std::move(root))
    );
    co_return;
}

PluginPtr describe() {
    PluginFacts facts;
    facts.name = "sandbox-policy";
    facts.version = "0.1.0";
    facts.provides = {std::string{SandboxPolicyService::service_name}};
    return make_plugin(std::move(facts), &start);
}

}  // namespace
}  // namespace cordon::sandbox_policy

CORDON_PLUGIN(cordon::sandbox_policy::describe);
