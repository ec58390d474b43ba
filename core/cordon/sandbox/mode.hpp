#pragma once

#include <cordon/base/export.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cordon {

/// The file effects that a command may have. Network, processes, devices and credentials are
/// outside this vocabulary (spec SB-1..SB-3).
enum class SandboxMode : std::uint8_t {
    /// No writes except sinks such as `/dev/null`.
    read_only,
    /// Also the workspace and a temporary area that the backend defines.
    workspace_write,
    /// No confinement: the provider is not asked at all.
    danger_full_access,
};

/// The modes that a provider can be asked to enforce.
enum class ConfinedSandboxMode : std::uint8_t { read_only, workspace_write };

inline constexpr std::array kSandboxModes{
    SandboxMode::read_only, SandboxMode::workspace_write, SandboxMode::danger_full_access};

/// `read-only`, `workspace-write`, `danger-full-access`.
[[nodiscard]] CORDON_API std::string_view to_string(SandboxMode mode);
[[nodiscard]] CORDON_API std::string_view to_string(ConfinedSandboxMode mode);
[[nodiscard]] CORDON_API std::optional<SandboxMode> parse_sandbox_mode(std::string_view text);
/// Empty for `danger-full-access`.
[[nodiscard]] CORDON_API std::optional<ConfinedSandboxMode> confined(SandboxMode mode);
[[nodiscard]] CORDON_API SandboxMode widen(ConfinedSandboxMode mode);

/// Whether a backend governs every promised file effect, or only some of them. Callers that need an
/// absolute boundary must not take `partial` for `full` (spec SB-6).
enum class SandboxEnforcement : std::uint8_t { full, partial };

[[nodiscard]] CORDON_API std::string_view to_string(SandboxEnforcement enforcement);

}  // namespace cordon
