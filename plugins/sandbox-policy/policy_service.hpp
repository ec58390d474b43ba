#pragma once

#include <cordon/sandbox/policy.hpp>

#include <string>

namespace cordon::sandbox_policy {

/// The deployment's default mode and workspace, combined per call with what the call and its
/// session say.
class PolicyService : public SandboxPolicyService {
public:
    /// Errors: as `resolve`, for a root that is not absolute.
    PolicyService(SandboxMode default_mode, std::string workspace_root);

    [[nodiscard]] SandboxMode default_mode() const override { return default_mode_; }

    [[nodiscard]] const std::string& workspace_root() const override { return workspace_root_; }

    [[nodiscard]] Task<SandboxExecutionPolicy> resolve(SandboxPolicyRequest request) override;

private:
    SandboxMode default_mode_;
    std::string workspace_root_;
};

}  // namespace cordon::sandbox_policy
