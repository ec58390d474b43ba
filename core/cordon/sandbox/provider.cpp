#include <cordon/sandbox/provider.hpp>

#include <boost/asio/awaitable.hpp>
#include <fmt/format.h>

namespace cordon {
namespace {

/// The contract's text, to the letter (spec SB-16, SB-17). An empty detail is a detail.
std::string unavailable_text(ConfinedSandboxMode mode, const std::optional<std::string>& detail) {
    std::string text = fmt::format(
        "sandbox mode \"{}\" is requested but no sandbox backend is usable on this host; refusing "
        "to run the command unconfined. Install bubblewrap or run a Landlock-enforcing kernel "
        "(Linux), ensure sandbox-exec is usable (macOS), or ensure the ACL restricted-token runner "
        "can start (Windows) — otherwise switch the consumer to danger-full-access.",
        to_string(mode)
    );
    if (detail) {
        text += " Runner failure: " + *detail;
    }
    return text;
}

}  // namespace

SandboxUnavailableError::SandboxUnavailableError(
    ConfinedSandboxMode mode, const std::optional<std::string>& detail
)
    : Error(unavailable_text(mode, detail), std::string{kSandboxUnavailable}) {}

SandboxUnavailableError::~SandboxUnavailableError() = default;

SandboxProvider::~SandboxProvider() = default;

ChildConfinement::~ChildConfinement() = default;

Task<std::vector<SandboxBackendReport>> SandboxProvider::inspect() {
    co_return std::vector<SandboxBackendReport>{};
}

}  // namespace cordon
