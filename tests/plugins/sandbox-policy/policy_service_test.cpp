#include <cordon/base/error.hpp>
#include <cordon/sandbox/policy.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <plugins/plugin_host.hpp>

using cordon::Object;
using cordon::SandboxExecutionPolicy;
using cordon::SandboxMode;
using cordon::SandboxPolicyRequest;
using cordon::SandboxPolicyService;
using cordon::Task;
using cordon::Value;
using cordon::testing::PluginHost;

namespace {

struct PolicyFixture {
    /// Applies the plugin with `config` and resolves one request.
    SandboxExecutionPolicy resolve(Value config, SandboxPolicyRequest request = {}) {
        host.apply("sandbox-policy", std::move(config));
        SandboxExecutionPolicy policy;
        host.run(resolve_into(std::move(request), policy));
        return policy;
    }

    Task<> resolve_into(SandboxPolicyRequest request, SandboxExecutionPolicy& policy) {
        const auto service = host.context().get<SandboxPolicyService>();
        policy = co_await service->resolve(std::move(request));
    }

    /// The message with which the plugin does not start.
    std::string refusal(Value config) {
        try {
            host.apply("sandbox-policy", std::move(config));
        } catch (const cordon::Error& error) {
            code = error.code();
            return error.message();
        }
        return {};
    }

    PluginHost host;
    std::string code;
};

Value config(const char* mode, const char* root) {
    return Object{{"mode", mode}, {"workspaceRoot", root}};
}

SandboxPolicyRequest request(
    std::optional<SandboxMode> mode,
    std::optional<std::string> cwd = std::nullopt,
    std::optional<std::string> session = std::nullopt
) {
    return {mode, std::move(cwd), std::move(session)};
}

}  // namespace

TEST_SUITE("sandbox-policy") {
    TEST_CASE_FIXTURE(
        PolicyFixture, "is read-only under the working directory by default (PO-1, PO-2)"
    ) {
        const auto policy = resolve({});
        CHECK(policy.mode == SandboxMode::read_only);
        CHECK(policy.workspace_root == std::filesystem::current_path());
        CHECK_FALSE(policy.session_id.has_value());
        CHECK(host.context().get<SandboxPolicyService>()->default_mode() == SandboxMode::read_only);
    }

    TEST_CASE_FIXTURE(PolicyFixture, "shows the configured facts (PO-3)") {
        host.apply("sandbox-policy", config("workspace-write", "/ws"));
        const auto service = host.context().get<SandboxPolicyService>();
        CHECK(service->default_mode() == SandboxMode::workspace_write);
        CHECK(service->workspace_root() == "/ws");
    }

    TEST_CASE_FIXTURE(PolicyFixture, "refuses a mode outside the vocabulary at load (PO-1)") {
        const auto message = refusal(config("bogus", "/ws"));
        CHECK(message.find("mode") != std::string::npos);
        CHECK(message.find("read-only") != std::string::npos);
        CHECK(code == "INVALID_CONFIG");
        CHECK_FALSE(bool(host.context().get<SandboxPolicyService>()));
    }

    TEST_CASE_FIXTURE(PolicyFixture, "refuses a relative root at load (PO-4)") {
        CHECK(
            refusal(config("read-only", "ws")) ==
            "sandbox-policy: workspace root must be an absolute execution-world path"
        );
        CHECK(code == "INVALID_POLICY");
    }

    TEST_CASE_FIXTURE(PolicyFixture, "refuses a relative working directory of a session (PO-4)") {
        CHECK_THROWS_WITH_AS(
            resolve(config("read-only", "/ws"), request(std::nullopt, "relative")),
            "sandbox-policy: workspace root must be an absolute execution-world path",
            cordon::Error
        );
    }

    TEST_CASE_FIXTURE(PolicyFixture, "keeps the spelling of every root (PO-5, PO-6)") {
        CHECK(resolve(config("read-only", "/ws/../ws/./sub")).workspace_root == "/ws/../ws/./sub");
    }

    TEST_CASE_FIXTURE(
        PolicyFixture,
        "an explicit mode wins, a session's directory wins, its id comes along (PO-8..PO-10)"
    ) {
        host.apply("sandbox-policy", config("workspace-write", "/ws"));
        SandboxExecutionPolicy policy;

        host.run(resolve_into(request(SandboxMode::danger_full_access), policy));
        CHECK(
            policy == SandboxExecutionPolicy{SandboxMode::danger_full_access, "/ws", std::nullopt}
        );

        host.run(resolve_into(request(std::nullopt, "/link/..", "s1"), policy));
        CHECK(policy == SandboxExecutionPolicy{SandboxMode::workspace_write, "/link/..", "s1"});

        host.run(resolve_into(request(SandboxMode::read_only, std::nullopt, "s2"), policy));
        CHECK(policy == SandboxExecutionPolicy{SandboxMode::read_only, "/ws", "s2"});
    }

    TEST_CASE_FIXTURE(PolicyFixture, "remembers nothing between calls (PO-11)") {
        host.apply("sandbox-policy", config("read-only", "/ws"));
        SandboxExecutionPolicy policy;
        host.run(resolve_into(request(SandboxMode::workspace_write, "/other", "s1"), policy));
        host.run(resolve_into(request(std::nullopt), policy));
        CHECK(policy == SandboxExecutionPolicy{SandboxMode::read_only, "/ws", std::nullopt});
    }

    TEST_CASE_FIXTURE(PolicyFixture, "goes with its fiber (PO-3)") {
        const auto fiber = host.apply("sandbox-policy");
        CHECK(bool(host.context().get<SandboxPolicyService>()));
        host.run(fiber->dispose());
        CHECK_FALSE(bool(host.context().get<SandboxPolicyService>()));
    }
}
