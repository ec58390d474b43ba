#include <cordon/sandbox/markers.hpp>
#include <cordon/sandbox/mode.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using cordon::ConfinedSandboxMode;
using cordon::SandboxMode;

TEST_SUITE("SandboxMode") {
    TEST_CASE("the vocabulary is closed and ordered from narrow to wide (SB-1)") {
        std::vector<std::string> names;
        for (const SandboxMode mode : cordon::kSandboxModes) {
            names.emplace_back(cordon::to_string(mode));
        }
        CHECK(
            names == std::vector<std::string>{"read-only", "workspace-write", "danger-full-access"}
        );
    }

    TEST_CASE("every name parses to its mode, anything else to none") {
        for (const SandboxMode mode : cordon::kSandboxModes) {
            CHECK(cordon::parse_sandbox_mode(cordon::to_string(mode)) == mode);
        }
        for (const char* wrong : {"", "Read-Only", "read_only", "read-only ", "full", "bogus"}) {
            CHECK_FALSE(cordon::parse_sandbox_mode(wrong).has_value());
        }
    }

    TEST_CASE("only the first two modes confine (SB-1, SB-2)") {
        CHECK(cordon::confined(SandboxMode::read_only) == ConfinedSandboxMode::read_only);
        CHECK(
            cordon::confined(SandboxMode::workspace_write) == ConfinedSandboxMode::workspace_write
        );
        CHECK_FALSE(cordon::confined(SandboxMode::danger_full_access).has_value());
    }

    TEST_CASE("a confined mode widens to the mode of the same name") {
        CHECK(cordon::widen(ConfinedSandboxMode::read_only) == SandboxMode::read_only);
        CHECK(cordon::widen(ConfinedSandboxMode::workspace_write) == SandboxMode::workspace_write);
        CHECK(cordon::to_string(ConfinedSandboxMode::workspace_write) == "workspace-write");
    }

    TEST_CASE("enforcement is full or partial (SB-6)") {
        CHECK(cordon::to_string(cordon::SandboxEnforcement::full) == "full");
        CHECK(cordon::to_string(cordon::SandboxEnforcement::partial) == "partial");
    }
}

TEST_SUITE("markers") {
    TEST_CASE("the denial marker names the mode (SB-29)") {
        CHECK(
            cordon::sandbox_denial_marker(SandboxMode::workspace_write) ==
            "[sandbox: file access denied under workspace-write mode]"
        );
        CHECK(
            cordon::sandbox_denial_marker(SandboxMode::read_only) ==
            "[sandbox: file access denied under read-only mode]"
        );
    }

    TEST_CASE("the hint marker names the subject of its family (SB-30, SB-31)") {
        CHECK(
            cordon::escalation_hint_marker("command") ==
            "[sandbox: escalation available \xE2\x80\x94 retry this exact command once with "
            "sandbox_permissions (the narrowest wider mode that suffices) + justification; the "
            "approval prompt asks the user]"
        );
        CHECK(cordon::escalation_hint_marker("operation").find("exact operation once") > 0);
    }
}
