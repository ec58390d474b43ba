#include "launcher_backend.hpp"

#include "child_confinement.hpp"
#include "enforcement.hpp"
#include "launcher/environment.hpp"

#include <cordon/base/text.hpp>

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace cordon::sandbox_local {
namespace {

constexpr int kLauncherFailed = 125;

const ConfinementRequest& probe_request() {
    static const ConfinementRequest request{ConfinedSandboxMode::read_only, "/"};
    return request;
}

}  // namespace

LauncherBackend::LauncherBackend(
    LauncherKind kind, Installation installation, Containment containment, ProbeRun probe_run
)
    : kind_(kind),
      installation_(std::move(installation)),
      containment_(containment),
      probe_run_(std::move(probe_run)),
      read_only_(std::make_shared<LauncherConfinement>(plan(probe_request()), installation_.facts)
      ) {}

std::string_view LauncherBackend::name() const {
    return kind_ == LauncherKind::native ? "native" : "landlock";
}

std::optional<std::string> LauncherBackend::obstacle(const ConfinementRequest& request) const {
    if (choose(installation_.launcher, request.workspace) == nullptr) {
        return mistrust_of(installation_.launcher, "cordon-launch");
    }
    if (kind_ == LauncherKind::native) {
        return std::nullopt;
    }
    if (installation_.facts.landlock_abi == 0) {
        return "landlock: the kernel has no Landlock, or it is switched off";
    }
    if (!request.read_only_paths.empty()) {
        return "landlock: read-only paths inside of writable ones need mounts, which Landlock "
               "alone "
               "does not have";
    }
    if (!request.temporary.empty()) {
        return "landlock: a temporary folder of the session needs mounts, which Landlock alone "
               "does "
               "not have";
    }
    return std::nullopt;
}

LauncherPlan LauncherBackend::plan(const ConfinementRequest& request) const {
    if (kind_ == LauncherKind::landlock) {
        return plan_landlock_alone(request, installation_.facts, containment_);
    }
    std::vector<std::string> programs;
    for (const ProgramSearch* search : {&installation_.launcher, &installation_.init}) {
        if (const TrustedProgram* program = choose(*search, request.workspace)) {
            programs.push_back(program->path);
        }
    }
    return plan_native(request, installation_.facts, containment_, programs);
}

std::optional<PreparedArgv> LauncherBackend::prepare(
    const ConfinementRequest& request,
    const LauncherPlan& plan,
    const std::vector<std::string>& command
) const {
    if (plan.supervise || command.empty()) {
        return std::nullopt;
    }
    PreparedArgv prepared;
    if (plan.process_namespace) {
        const TrustedProgram* const init = choose(installation_.init, request.workspace);
        if (init == nullptr) {
            return std::nullopt;
        }
        prepared.argv = {init->path, "--"};
        prepared.status = RunnerStatusOption{1, "--status-fd"};
    }
    prepared.argv.insert(prepared.argv.end(), command.begin(), command.end());
    prepared.confinement = request.mode == ConfinedSandboxMode::read_only
                               ? read_only_
                               : std::make_shared<LauncherConfinement>(plan, installation_.facts);
    return prepared;
}

ConfinedArgv LauncherBackend::wrap(
    const ConfinementRequest& request, const std::vector<std::string>& command
) const {
    LauncherPlan plan = this->plan(request);
    const std::string& launcher = choose(installation_.launcher, request.workspace)->path;

    ConfinedArgv confined;
    confined.argv = launcher_words(plan);
    confined.argv.insert(confined.argv.begin(), launcher);
    confined.argv.emplace_back(command.empty() ? "--check" : "--");
    confined.argv.insert(confined.argv.end(), command.begin(), command.end());
    confined.reasons = open_effects_of(plan, installation_.facts);
    confined.enforcement =
        confined.reasons.empty() ? SandboxEnforcement::full : SandboxEnforcement::partial;
    confined.denial_signatures = {"read-only file system"};
    if (kind_ == LauncherKind::landlock) {
        confined.denial_signatures.emplace_back("permission denied");
    }
    confined.runner_failure_rules = {
        RunnerFailureRule{std::vector<int>{kLauncherFailed}, {"cordon-launch: "}, {}}};
    confined.backend = name();
    confined.status = RunnerStatusOption{1, "--status-fd"};
    confined.workdir = RunnerWorkdirOption{1, "--chdir"};
    confined.loader_variable_prefix = launch::kCommandVariablePrefix;
    confined.prepared = prepare(request, plan, command);
    return confined;
}

Task<Verdict> LauncherBackend::probe() {
    if (const auto why_not = obstacle(probe_request())) {
        Verdict verdict;
        verdict.lasting = true;
        verdict.why_not = why_not->empty() ? "cordon-launch is not installed" : *why_not;
        co_return verdict;
    }
    ConfinedArgv confined = wrap(probe_request(), {});
    Verdict verdict = co_await probe_run_(std::move(confined));
    if (!verdict.usable) {
        verdict.why_not = explain(std::move(verdict.why_not));
    }
    co_return verdict;
}

std::string LauncherBackend::explain(std::string why_not) const {
    if (kind_ != LauncherKind::native) {
        return why_not;
    }
    if (!installation_.facts.may_mount) {
        const std::string cause = user_namespace_obstacle();
        if (!cause.empty()) {
            return why_not + "; " + cause;
        }
    }
    if (why_not.find("'/proc'") != std::string::npos) {
        return why_not +
               "; proc-masked: a /proc that is covered in part, as in most containers, cannot be "
               "mounted anew: set containment: files to do without a process namespace";
    }
    return why_not;
}

std::vector<std::string> LauncherBackend::facts() const {
    std::vector<std::string> facts;
    describe_programs(installation_.launcher, "cordon-launch", facts);
    if (kind_ == LauncherKind::native) {
        describe_programs(installation_.init, "cordon-init", facts);
    }
    facts.push_back(fmt::format("Landlock ABI: {}", installation_.facts.landlock_abi));
    facts.push_back(fmt::format("user: {}", installation_.facts.is_root ? "root" : "ordinary"));
    if (!obstacle(probe_request())) {
        facts.push_back("probe: " + shell_join(wrap(probe_request(), {}).argv));
    }
    return facts;
}

std::vector<std::string> LauncherBackend::open_effects() const {
    const ConfinementRequest widest{ConfinedSandboxMode::workspace_write, "/nonexistent"};
    return open_effects_of(plan(widest), installation_.facts);
}

}  // namespace cordon::sandbox_local
