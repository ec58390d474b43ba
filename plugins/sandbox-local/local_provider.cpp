#include "local_provider.hpp"

#include <cordon/async/offload.hpp>

#include <optional>
#include <utility>

namespace cordon::sandbox_local {
namespace {

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
    Warn warn,
    Settings settings
)
    : warn_(std::move(warn)), settings_(std::move(settings)) {
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
    const PlacesKey key{policy.mode, policy.workspace_root, policy.session_id.value_or("")};
    std::shared_ptr<const ResolvedPlaces> places = recent(key);
    if (!places) {
        places = co_await resolve(std::move(policy));
        // Sessions come and go; what is old is not worth a search.
        constexpr std::size_t kMost = 64;
        if (recent_.size() >= kMost) {
            recent_.clear();
        }
        recent_[key] = RecentPlaces{places, Clock::now()};
    }
    const Backend* backend = known_backend(places->request);
    if (backend == nullptr) {
        backend = co_await probe_chain(places);
    }
    ConfinedArgv confined = backend->wrap(places->request, argv);
    if (!places->shortcomings.empty()) {
        confined.enforcement = SandboxEnforcement::partial;
        confined.reasons.insert(
            confined.reasons.end(), places->shortcomings.begin(), places->shortcomings.end()
        );
    }
    co_return confined;
}

std::shared_ptr<const ResolvedPlaces> LocalProvider::recent(const PlacesKey& key) const {
    constexpr std::chrono::seconds kMoment{1};
    const auto found = recent_.find(key);
    const bool is_recent = found != recent_.end() && Clock::now() - found->second.found < kMoment;
    return is_recent ? found->second.places : nullptr;
}

Task<std::shared_ptr<const ResolvedPlaces>> LocalProvider::resolve(SandboxPolicy policy) {
    // Owned by the function: a caller that is cancelled leaves it running.
    auto look = [policy, settings = settings_, folders = session_folders_] {
        ResolvedPlaces resolved = resolve_places(policy, settings.places);
        if (settings.keep_temporary && policy.session_id &&
            policy.mode == ConfinedSandboxMode::workspace_write) {
            resolved.request.temporary = folders->folder_of(*policy.session_id);
        }
        return resolved;
    };
    auto places = std::make_shared<ResolvedPlaces>(co_await offload(std::move(look)));
    if (!places->warning.empty() && !has_warned_) {
        has_warned_ = true;
        warn_(places->warning);
    }
    co_return places;
}

/// The answer of `probe_chain` where no probe is needed for it; null where one is.
const Backend* LocalProvider::known_backend(const ConfinementRequest& request) const {
    for (const VerdictCache& rung : chain_) {
        if (rung.backend().obstacle(request)) {
            continue;
        }
        if (chain_.size() == 1) {
            return &rung.backend();
        }
        const Verdict* const verdict = rung.kept();
        if (verdict == nullptr) {
            return nullptr;
        }
        if (verdict->usable) {
            return &rung.backend();
        }
    }
    return nullptr;
}

Task<const Backend*> LocalProvider::probe_chain(std::shared_ptr<const ResolvedPlaces> places) {
    const ConfinementRequest& request = places->request;
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
