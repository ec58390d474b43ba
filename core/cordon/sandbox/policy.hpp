#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/service.hpp>
#include <cordon/sandbox/mode.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// The file-effect policy of one call, fully resolved (spec SB-4).
struct SandboxExecutionPolicy {
    SandboxMode mode = SandboxMode::read_only;
    /// Absolute directory that `workspace-write` may write under. Present in every mode.
    std::string workspace_root;
    /// Opaque identity of the calling session; empty for calls without one.
    std::optional<std::string> session_id;

    friend bool operator==(const SandboxExecutionPolicy&, const SandboxExecutionPolicy&) = default;
};

/// The same for a call that is to be confined (spec SB-5). Carried per call, never kept by a
/// provider.
struct SandboxPolicy {
    ConfinedSandboxMode mode = ConfinedSandboxMode::read_only;
    std::string workspace_root;
    std::optional<std::string> session_id;

    friend bool operator==(const SandboxPolicy&, const SandboxPolicy&) = default;
};

/// What a caller knows when it asks for the policy of one call.
struct SandboxPolicyRequest {
    /// An explicit mode outranks the session's and the default (spec PO-8).
    std::optional<SandboxMode> mode;
    /// Absolute working directory of the session; the workspace of this call where present (spec
    /// PO-9).
    std::optional<std::string> session_cwd;
    std::optional<std::string> session_id;
};

/// Decides what a call may do. Key `sandboxPolicy`. Resolution is done per call; nothing is
/// remembered between calls (spec PO-11).
class CORDON_API SandboxPolicyService : public Service {
public:
    static constexpr std::string_view service_name = "sandboxPolicy";

    ~SandboxPolicyService() override;

    /// The deployment's facts (spec PO-3).
    [[nodiscard]] virtual SandboxMode default_mode() const = 0;
    [[nodiscard]] virtual const std::string& workspace_root() const = 0;

    /// Errors: code `INVALID_POLICY` with `sandbox-policy: workspace root must be an absolute
    /// execution-world path` (spec PO-4).
    [[nodiscard]] virtual Task<SandboxExecutionPolicy> resolve(SandboxPolicyRequest request) = 0;
};

}  // namespace cordon
