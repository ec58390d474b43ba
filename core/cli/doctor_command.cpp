#include "commands.hpp"
#include "exit_code.hpp"
#include "host_facts.hpp"
#include "json_output.hpp"
#include "policy.hpp"
#include "session.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/runtime/composition.hpp>
#include <cordon/sandbox/provider.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct Findings {
    std::vector<SandboxBackendReport> backends;
    std::vector<std::pair<std::string, std::string>> facts;
    std::optional<SandboxExecutionPolicy> policy;
    std::vector<std::string> risks;

    [[nodiscard]] bool can_confine() const {
        return std::any_of(backends.begin(), backends.end(), [](const auto& backend) {
            return backend.usable;
        });
    }
};

Task<Findings> examine(Context context, const GlobalOptions& options) {
    Findings findings;
    findings.facts = kernel_facts();
    if (const auto provider = context.get<SandboxProvider>()) {
        findings.backends = co_await provider->inspect();
    }
    const PolicyOptions as_composed;
    findings.policy = co_await resolve_policy(context, as_composed);
    std::optional<std::string> workspace;
    if (findings.policy) {
        workspace = findings.policy->workspace_root;
    }
    const auto look = [&] {
        return risky_settings(compose_deployment(options.composition), workspace);
    };
    findings.risks = co_await offload(look);
    co_return findings;
}

json::object describe_backend(const SandboxBackendReport& backend) {
    json::object description{
        {"name", backend.name},
        {"usable", backend.usable},
        {"whyNot", nullptr},
        {"enforcement", nullptr},
        {"reasons", strings(backend.reasons)},
        {"facts", strings(backend.facts)}};
    if (backend.usable) {
        description["enforcement"] = to_string(backend.enforcement);
    } else {
        description["whyNot"] = backend.why_not;
    }
    return description;
}

void print_json(const Findings& findings) {
    json::array backends;
    for (const SandboxBackendReport& backend : findings.backends) {
        backends.emplace_back(describe_backend(backend));
    }
    json::object facts;
    for (const auto& [name, value] : findings.facts) {
        facts[name] = value;
    }
    json::value policy;
    if (findings.policy) {
        policy = {
            {"mode", to_string(findings.policy->mode)},
            {"workspaceRoot", findings.policy->workspace_root}};
    }
    const json::object document{
        {"canConfine", findings.can_confine()},
        {"backends", std::move(backends)},
        {"host", std::move(facts)},
        {"policy", std::move(policy)},
        {"risks", strings(findings.risks)},
        {"notCovered", strings(uncovered_effects())}};
    print_document(document);
}

void print_backend(const SandboxBackendReport& backend) {
    if (backend.usable) {
        print_to(
            stdout, "  {}: usable, {} enforcement\n", backend.name, to_string(backend.enforcement)
        );
    } else {
        print_to(stdout, "  {}: not usable: {}\n", backend.name, backend.why_not);
    }
    for (const std::string& reason : backend.reasons) {
        print_to(stdout, "    not full because {}\n", reason);
    }
    for (const std::string& fact : backend.facts) {
        print_to(stdout, "    {}\n", fact);
    }
}

void print_list(std::string_view title, const std::vector<std::string>& lines) {
    print_to(stdout, "{}\n", title);
    for (const std::string& line : lines) {
        print_to(stdout, "  {}\n", line);
    }
}

void print_text(const Findings& findings) {
    print_to(stdout, "Backends\n");
    for (const SandboxBackendReport& backend : findings.backends) {
        print_backend(backend);
    }
    if (findings.backends.empty()) {
        print_to(
            stdout,
            "  none: what provides the service 'sandbox' here, if anything does, reports no "
            "backends\n"
        );
    }
    print_to(stdout, "Host\n");
    for (const auto& [name, value] : findings.facts) {
        print_to(stdout, "  {}: {}\n", name, value);
    }
    if (findings.policy) {
        print_to(
            stdout,
            "Policy\n  {}, workspace {}\n",
            to_string(findings.policy->mode),
            findings.policy->workspace_root
        );
    }
    if (!findings.risks.empty()) {
        print_list("Risks", findings.risks);
    }
    print_list("Not covered by any mode", uncovered_effects());
    print_to(
        stdout,
        "{}\n",
        findings.can_confine() ? "Confined modes can be enforced."
                               : "No confined mode can be enforced."
    );
}

Task<int> diagnose(Context context, const GlobalOptions& options) {
    const Findings findings = co_await examine(context, options);
    if (options.json) {
        print_json(findings);
    } else {
        print_text(findings);
    }
    co_return findings.can_confine() ? 0 : kFailure;
}

}  // namespace

int doctor_command(const Options& options) {
    return run_session(options.global, [&options](Session session) {
        return diagnose(session.runtime.context(), options.global);
    });
}

}  // namespace cordon::cli
