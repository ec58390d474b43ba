#include "policy_service.hpp"

#include <cordon/base/error.hpp>

#include <boost/asio/awaitable.hpp>

#include <utility>

namespace cordon::sandbox_policy {
namespace {

/// Only whether the root is absolute is decided here. Its spelling is kept, `..` and links
/// included: what they mean is known in the world where the policy is enforced (spec PO-5..PO-7).
std::string checked(std::string root) {
    if (!root.starts_with('/')) {
        throw Error{
            "sandbox-policy: workspace root must be an absolute execution-world path",
            "INVALID_POLICY"};
    }
    return root;
}

}  // namespace

PolicyService::PolicyService(SandboxMode default_mode, std::string workspace_root)
    : default_mode_(default_mode), workspace_root_(checked(std::move(workspace_root))) {}

Task<SandboxExecutionPolicy> PolicyService::resolve(SandboxPolicyRequest request) {
    SandboxExecutionPolicy policy;
    policy.mode = request.mode.value_or(default_mode_);
    policy.workspace_root =
        request.session_cwd ? checked(std::move(*request.session_cwd)) : workspace_root_;
    policy.session_id = std::move(request.session_id);
    co_return policy;
}

}  // namespace cordon::sandbox_policy
