#include "local_provider.hpp"

#include "workspace.hpp"

#include <cordon/async/offload.hpp>

#include <optional>
#include <utility>

#include <stdlib.h>

namespace cordon::sandbox_local {
namespace {

/// What the file system says about a workspace.
struct ResolvedWorkspace {
    std::string path;
    std::string warning;
};

ResolvedWorkspace look_at_workspace(const SandboxPolicy& policy) {
    ResolvedWorkspace workspace;
    workspace.path = resolve_workspace(policy);
    if (policy.mode == ConfinedSandboxMode::workspace_write) {
        const char* home = ::getenv("HOME");
        workspace.warning = workspace_warning(workspace.path, home != nullptr ? home : "");
    }
    return workspace;
}

/// Every obstacle that says something, for the error's detail.
void add_obstacle(std::optional<std::string>& detail, const std::string& obstacle) {
    if (obstacle.empty()) {
        return;
    }
    detail = detail ? *detail + "; " + obstacle : obstacle;
}

}  // namespace

LocalProvider::LocalProvider(
    const boost::asio::any_io_executor& strand,
    std::vector<std::shared_ptr<Backend>> chain,
    Warn warn
)
    : warn_(std::move(warn)) {
    for (std::shared_ptr<Backend>& backend : chain) {
        chain_.emplace_back(strand, std::move(backend));
    }
}

Task<ConfinedArgv> LocalProvider::confine(std::vector<std::string> argv, SandboxPolicy policy) {
    if (argv.empty()) {
        throw Error{
            "sandbox-local: expected a program and its arguments, found nothing",
            "INVALID_REQUEST"};
    }
    const ConfinementRequest request = co_await resolve(std::move(policy));
    const Backend* const backend = co_await select(request);
    co_return backend->wrap(request, argv);
}

Task<ConfinementRequest> LocalProvider::resolve(SandboxPolicy policy) {
    auto look = [&policy] {
        return look_at_workspace(policy);
    };
    ResolvedWorkspace workspace = co_await offload(look);
    if (!workspace.warning.empty() && !has_warned_) {
        has_warned_ = true;
        warn_(workspace.warning);
    }
    ConfinementRequest request;
    request.mode = policy.mode;
    request.workspace = std::move(workspace.path);
    co_return request;
}

Task<Backend*> LocalProvider::select(ConfinementRequest request) {
    std::optional<std::string> detail;
    for (VerdictCache& rung : chain_) {
        Backend& backend = rung.backend();
        if (const auto obstacle = backend.obstacle(request)) {
            add_obstacle(detail, *obstacle);
            continue;
        }
        if (chain_.size() == 1) {
            co_return &backend;
        }
        const Verdict verdict = co_await rung.verdict();
        if (verdict.usable) {
            co_return &backend;
        }
        add_obstacle(detail, std::string{backend.name()} + ": " + verdict.why_not);
    }
    throw SandboxUnavailableError{request.mode, detail};
}

Task<std::vector<SandboxBackendReport>> LocalProvider::inspect() {
    std::vector<SandboxBackendReport> reports;
    for (VerdictCache& rung : chain_) {
        const Verdict verdict = co_await rung.probe();
        const Backend& backend = rung.backend();
        SandboxBackendReport report;
        report.name = backend.name();
        report.usable = verdict.usable;
        report.why_not = verdict.why_not;
        report.reasons = backend.open_effects();
        report.enforcement =
            report.reasons.empty() ? SandboxEnforcement::full : SandboxEnforcement::partial;
        report.facts = backend.facts();
        reports.push_back(std::move(report));
    }
    co_return reports;
}

Task<> LocalProvider::stop() {
    for (VerdictCache& rung : chain_) {
        co_await rung.stop();
    }
}

}  // namespace cordon::sandbox_local
