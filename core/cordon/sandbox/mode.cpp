#include <cordon/sandbox/mode.hpp>

namespace cordon {

std::string_view to_string(SandboxMode mode) {
    switch (mode) {
        case SandboxMode::read_only:
            return "read-only";
        case SandboxMode::workspace_write:
            return "workspace-write";
        case SandboxMode::danger_full_access:
            return "danger-full-access";
    }
    return {};
}

std::string_view to_string(ConfinedSandboxMode mode) {
    return to_string(widen(mode));
}

std::optional<SandboxMode> parse_sandbox_mode(std::string_view text) {
    for (const SandboxMode mode : kSandboxModes) {
        if (to_string(mode) == text) {
            return mode;
        }
    }
    return std::nullopt;
}

std::optional<ConfinedSandboxMode> confined(SandboxMode mode) {
    switch (mode) {
        case SandboxMode::read_only:
            return ConfinedSandboxMode::read_only;
        case SandboxMode::workspace_write:
            return ConfinedSandboxMode::workspace_write;
        case SandboxMode::danger_full_access:
            break;
    }
    return std::nullopt;
}

SandboxMode widen(ConfinedSandboxMode mode) {
    return mode == ConfinedSandboxMode::workspace_write ? SandboxMode::workspace_write
                                                        : SandboxMode::read_only;
}

std::string_view to_string(SandboxEnforcement enforcement) {
    return enforcement == SandboxEnforcement::full ? "full" : "partial";
}

}  // namespace cordon
