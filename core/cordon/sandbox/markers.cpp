#include <cordon/sandbox/markers.hpp>

#include <fmt/format.h>

namespace cordon {

std::string sandbox_denial_marker(SandboxMode mode) {
    return fmt::format("[sandbox: file access denied under {} mode]", to_string(mode));
}

std::string escalation_hint_marker(std::string_view subject) {
    return fmt::format(
        "[sandbox: escalation available — retry this exact {} once with sandbox_permissions (the "
        "narrowest wider mode that suffices) + justification; the approval prompt asks the user]",
        subject
    );
}

}  // namespace cordon
