#include "commands.hpp"
#include "json_output.hpp"
#include "policy.hpp"
#include "session.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/sandbox/provider.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace cordon::cli {
namespace {

namespace json = boost::json;

json::object describe_rule(const RunnerFailureRule& rule) {
    json::object description{{"fatalSignatures", strings(rule.fatal_signatures)}};
    if (rule.allowed_exit_codes) {
        description["allowedExitCodes"] =
            json::array(rule.allowed_exit_codes->begin(), rule.allowed_exit_codes->end());
    }
    if (!rule.informational_lines.empty()) {
        description["informationalLines"] = strings(rule.informational_lines);
    }
    return description;
}

void print_json(const ConfinedArgv& confined) {
    json::array rules;
    for (const RunnerFailureRule& rule : confined.runner_failure_rules) {
        rules.emplace_back(describe_rule(rule));
    }
    const json::object document{
        {"argv", strings(confined.argv)},
        {"enforcement", to_string(confined.enforcement)},
        {"denialSignatures", strings(confined.denial_signatures)},
        {"runnerFailureRules", std::move(rules)},
        {"backend", confined.backend},
        {"reasons", strings(confined.reasons)}};
    print_document(document);
}

Task<int> confine(Context context, const ConfineOptions& options, bool as_json) {
    const auto provider = context.get<SandboxProvider>();
    if (!provider) {
        throw Error{
            "no row of this composition provides the service 'sandbox'. Add a row with the plugin "
            "'sandbox-local'.",
            "SERVICE_UNAVAILABLE"};
    }
    const auto resolved = co_await resolve_policy(context, options.policy);
    if (!resolved) {
        throw Error{
            "no row of this composition provides the service 'sandboxPolicy', so there is no "
            "policy to "
            "confine under. Add a row with the plugin 'sandbox-policy'.",
            "SERVICE_UNAVAILABLE"};
    }
    const auto mode = confined(resolved->mode);
    if (!mode) {
        throw Error{
            "the mode danger-full-access confines nothing; run the command as it is, or ask for "
            "--mode read-only or --mode workspace-write.",
            "INVALID_POLICY"};
    }
    SandboxPolicy policy{*mode, resolved->workspace_root, resolved->session_id};
    const ConfinedArgv result = co_await provider->confine(options.argv, std::move(policy));
    if (as_json) {
        print_json(result);
    } else {
        print_to(stdout, "{}\n", shell_join(result.argv));
    }
    co_return 0;
}

}  // namespace

int confine_command(const Options& options) {
    return run_session(options.global, [&options](Session session) {
        return confine(session.runtime.context(), options.confine, options.global.json);
    });
}

}  // namespace cordon::cli
