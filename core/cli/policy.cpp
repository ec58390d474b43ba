#include "policy.hpp"

#include <cordon/base/error.hpp>

#include <system_error>
#include <utility>

namespace cordon::cli {

std::filesystem::path current_folder() {
    std::error_code error;
    auto folder = std::filesystem::current_path(error);
    if (error) {
        throw Error{
            "the directory that cordon was started in does not exist any more. Start it elsewhere.",
            "INVALID_REQUEST"};
    }
    return folder;
}

std::optional<std::string> absolute_workspace(const PolicyOptions& options) {
    if (!options.workspace) {
        return std::nullopt;
    }
    const std::filesystem::path& workspace = *options.workspace;
    return workspace.is_absolute() ? workspace.string() : (current_folder() / workspace).string();
}

Task<std::optional<SandboxExecutionPolicy>> resolve_policy(Context context, PolicyOptions options) {
    const auto service = context.get<SandboxPolicyService>();
    if (!service) {
        if (options.mode || options.workspace) {
            throw Error{
                "--mode and --workspace need a row that provides the service 'sandboxPolicy', and "
                "this "
                "composition has none. Add a row with the plugin 'sandbox-policy'.",
                "SERVICE_UNAVAILABLE"};
        }
        co_return std::nullopt;
    }
    SandboxPolicyRequest request;
    request.mode = options.mode;
    request.session_cwd = absolute_workspace(options);
    SandboxExecutionPolicy policy = co_await service->resolve(std::move(request));
    co_return policy;
}

}  // namespace cordon::cli
