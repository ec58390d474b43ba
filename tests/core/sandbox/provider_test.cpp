#include <cordon/sandbox/provider.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include <support/coroutine.hpp>

using cordon::ConfinedSandboxMode;
using cordon::SandboxUnavailableError;

namespace {

constexpr const char* kReadOnlyText =
    "sandbox mode \"read-only\" is requested but no sandbox backend is usable on this host; "
    "refusing to run the command unconfined. Install bubblewrap or run a Landlock-enforcing kernel "
    "(Linux), ensure sandbox-exec is usable (macOS), or ensure the ACL restricted-token runner can "
    "start (Windows) \xE2\x80\x94 otherwise switch the consumer to danger-full-access.";

class WithoutBackends : public cordon::SandboxProvider {
public:
    cordon::Task<cordon::ConfinedArgv> confine(
        std::vector<std::string> argv, cordon::SandboxPolicy /*policy*/
    ) override {
        cordon::ConfinedArgv result;
        result.argv = std::move(argv);
        co_return result;
    }
};

}  // namespace

TEST_SUITE("SandboxUnavailableError") {
    TEST_CASE("names the refused mode and the ways out, in the contract's words (SB-15, SB-16)") {
        const SandboxUnavailableError error{ConfinedSandboxMode::read_only};
        CHECK(error.message() == kReadOnlyText);
        CHECK(error.code() == "SANDBOX_UNAVAILABLE");

        const SandboxUnavailableError wider{ConfinedSandboxMode::workspace_write};
        CHECK(wider.message().find("sandbox mode \"workspace-write\" is requested") == 0);
    }

    TEST_CASE("appends a detail as it is, and an empty detail too (SB-17)") {
        const SandboxUnavailableError detailed{
            ConfinedSandboxMode::read_only, "bwrap: setting up uid map: Permission denied"};
        CHECK(
            detailed.message() ==
            std::string{kReadOnlyText} +
                " Runner failure: bwrap: setting up uid map: Permission denied"
        );

        const SandboxUnavailableError empty{ConfinedSandboxMode::read_only, ""};
        CHECK(empty.message() == std::string{kReadOnlyText} + " Runner failure: ");
    }

    TEST_CASE("is an Error, so that a host finds the code without knowing the type") {
        CHECK_THROWS_AS(
            throw SandboxUnavailableError{ConfinedSandboxMode::read_only}, cordon::Error
        );
    }
}

TEST_SUITE("SandboxProvider") {
    TEST_CASE("its slot is called sandbox (SB-13)") {
        CHECK(cordon::SandboxProvider::service_name == "sandbox");
        CHECK(cordon::SandboxPolicyService::service_name == "sandboxPolicy");
    }

    CO_TEST_CASE("a provider without backends has nothing to report") {
        WithoutBackends provider;
        const auto reports = co_await provider.inspect();
        CHECK(reports.empty());
    }
}
