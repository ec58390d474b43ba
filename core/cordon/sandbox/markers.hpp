#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/mode.hpp>

#include <string>
#include <string_view>

namespace cordon {

/// `[sandbox: file access denied under <mode> mode]` (spec SB-29).
[[nodiscard]] CORDON_API std::string sandbox_denial_marker(SandboxMode mode);

/// `[sandbox: escalation available — retry this exact <subject> once …]` (spec SB-30). `subject` is
/// `command` or `operation`.
[[nodiscard]] CORDON_API std::string escalation_hint_marker(std::string_view subject);

}  // namespace cordon
