#include <cordon/shell/shell.hpp>

namespace cordon {

ShellExecutor::~ShellExecutor() = default;

std::optional<SandboxMode> ShellExecutor::sandbox_mode() const {
    return std::nullopt;
}

}  // namespace cordon
