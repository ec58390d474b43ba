#include "bwrap_backend.hpp"

#include "enforcement.hpp"
#include "launcher/environment.hpp"

#include <cordon/base/text.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon::sandbox_local {
namespace {

constexpr int kLauncherFailed = 125;

const ConfinementRequest& probe_request() {
    static const ConfinementRequest request{ConfinedSandboxMode::read_only, "/"};
    return request;
}

}  // namespace

BwrapBackend::BwrapBackend(Installation installation, Containment containment, ProbeRun probe_run)
    : installation_(std::move(installation)),
      containment_(containment),
      probe_run_(std::move(probe_run)) {}

std::optional<std::string> BwrapBackend::obstacle(const ConfinementRequest& request) const {
    if (!containment_.processes) {
        return "bwrap: containment: files needs the native or the landlock backend";
    }
    if (!request.temporary.empty()) {
        return "bwrap: a temporary folder of the session needs the native backend";
    }
    if (choose(installation_.bwrap, request.workspace) == nullptr) {
        return mistrust_of(installation_.bwrap, "bwrap");
    }
    if (choose(installation_.launcher, request.workspace) == nullptr) {
        return mistrust_of(installation_.launcher, "cordon-launch");
    }
    return std::nullopt;
}

ConfinedArgv BwrapBackend::wrap(
    const ConfinementRequest& request, const std::vector<std::string>& command
) const {
    const BwrapPrograms programs{
        choose(installation_.bwrap, request.workspace)->path,
        choose(installation_.launcher, request.workspace)->path};
    BwrapPlan plan = plan_bwrap(request, installation_.facts, programs, command, containment_);

    ConfinedArgv confined;
    confined.argv = std::move(plan.argv);
    confined.reasons = open_effects();
    confined.enforcement =
        confined.reasons.empty() ? SandboxEnforcement::full : SandboxEnforcement::partial;
    confined.denial_signatures = {"read-only file system"};
    confined.runner_failure_rules = {
        RunnerFailureRule{std::nullopt, {"bwrap: "}, {}},
        RunnerFailureRule{std::vector<int>{kLauncherFailed}, {"cordon-launch: "}, {}}};
    confined.backend = name();
    confined.status = RunnerStatusOption{plan.launcher_options, "--status-fd"};
    confined.workdir = RunnerWorkdirOption{plan.launcher_options, "--chdir"};
    confined.loader_variable_prefix = launch::kCommandVariablePrefix;
    return confined;
}

Task<Verdict> BwrapBackend::probe() {
    if (const auto why_not = obstacle(probe_request())) {
        Verdict verdict;
        verdict.lasting = true;
        verdict.why_not = why_not->empty() ? "bwrap is not installed" : *why_not;
        co_return verdict;
    }
    ConfinedArgv confined = wrap(probe_request(), {});
    co_return co_await probe_run_(std::move(confined));
}

std::vector<std::string> BwrapBackend::facts() const {
    std::vector<std::string> facts;
    describe_programs(installation_.bwrap, "bwrap", facts);
    describe_programs(installation_.launcher, "cordon-launch", facts);
    facts.push_back(fmt::format("Landlock ABI: {}", installation_.facts.landlock_abi));
    facts.push_back(fmt::format("user: {}", installation_.facts.is_root ? "root" : "ordinary"));
    if (!obstacle(probe_request())) {
        facts.push_back("probe: " + shell_join(wrap(probe_request(), {}).argv));
    }
    return facts;
}

std::vector<std::string> BwrapBackend::open_effects() const {
    return open_effects_in_bwrap(installation_.facts);
}

}  // namespace cordon::sandbox_local
