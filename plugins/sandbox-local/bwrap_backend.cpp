#include "bwrap_backend.hpp"

#include "launcher/environment.hpp"

#include <cordon/base/text.hpp>
#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/roots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <dlfcn.h>
#include <stdlib.h>

namespace cordon::sandbox_local {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/usr/bin:/bin";
constexpr int kLauncherFailed = 125;

/// A command that may write in the workspace could replace a program there, and the next call would
/// start the replacement unconfined.
const TrustedProgram* choose(const ProgramSearch& search, const std::string& workspace) {
    const auto found = std::find_if(
        search.trusted.begin(),
        search.trusted.end(),
        [&](const TrustedProgram& program) {
            return !program.replaceable || workspace == "/" || !is_within(program.path, workspace);
        }
    );
    return found == search.trusted.end() ? nullptr : &*found;
}

/// Why `choose` found none.
std::string reason(const ProgramSearch& search, std::string_view program) {
    if (!search.trusted.empty()) {
        return fmt::format(
            "{} is not used from the workspace, where commands could replace it: {}",
            program,
            search.trusted.front().path
        );
    }
    if (!search.refused.empty()) {
        return fmt::format("{} is not trusted: {}", program, search.refused.front().reason);
    }
    return {};
}

/// The launcher is installed beside libcordon: `lib/libcordon.so` and `lib/cordon/bin`.
std::string launcher_path() {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&runner_environment), &info) == 0) {
        return {};
    }
    const std::string library = canonical_path(info.dli_fname);
    return library.substr(0, library.rfind('/')) + "/cordon/bin/cordon-launch";
}

void describe(
    const ProgramSearch& search, std::string_view program, std::vector<std::string>& facts
) {
    for (const TrustedProgram& found : search.trusted) {
        facts.push_back(fmt::format("{}: {}", program, found.path));
    }
    for (const RefusedProgram& found : search.refused) {
        facts.push_back(fmt::format("{}: {} not used: {}", program, found.path, found.reason));
    }
    if (search.trusted.empty() && search.refused.empty()) {
        facts.push_back(fmt::format("{}: not found on PATH", program));
    }
}

const ConfinementRequest& probe_request() {
    static const ConfinementRequest request{ConfinedSandboxMode::read_only, "/"};
    return request;
}

}  // namespace

BwrapBackend::BwrapBackend(BwrapInstallation installation, ProbeRun probe_run)
    : installation_(std::move(installation)), probe_run_(std::move(probe_run)) {}

std::optional<std::string> BwrapBackend::obstacle(const ConfinementRequest& request) const {
    if (choose(installation_.bwrap, request.workspace) == nullptr) {
        return reason(installation_.bwrap, "bwrap");
    }
    if (choose(installation_.launcher, request.workspace) == nullptr) {
        return reason(installation_.launcher, "cordon-launch");
    }
    return std::nullopt;
}

ConfinedArgv BwrapBackend::wrap(
    const ConfinementRequest& request, const std::vector<std::string>& command
) const {
    const BwrapPrograms programs{
        choose(installation_.bwrap, request.workspace)->path,
        choose(installation_.launcher, request.workspace)->path};
    BwrapPlan plan = plan_bwrap(request, installation_.facts, programs, command);

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
    describe(installation_.bwrap, "bwrap", facts);
    describe(installation_.launcher, "cordon-launch", facts);
    facts.push_back(fmt::format("Landlock ABI: {}", installation_.facts.landlock_abi));
    facts.push_back(fmt::format("user: {}", installation_.facts.is_root ? "root" : "ordinary"));
    if (!obstacle(probe_request())) {
        facts.push_back("probe: " + shell_join(wrap(probe_request(), {}).argv));
    }
    return facts;
}

std::vector<std::string> BwrapBackend::open_effects() const {
    return open_file_effects(installation_.facts);
}

BwrapInstallation look_for_bwrap(const std::optional<std::string>& configured) {
    BwrapInstallation installation;
    installation.facts = look_at_host();
    const char* path = ::getenv("PATH");
    installation.bwrap = configured ? examine_program(*configured)
                                    : find_program("bwrap", path != nullptr ? path : kDefaultPath);
    installation.launcher = examine_program(launcher_path());
    return installation;
}

}  // namespace cordon::sandbox_local
