#include <cordon/sandbox/policy.hpp>

namespace cordon {

SandboxPolicyService::~SandboxPolicyService() = default;

}  // namespace cordon
