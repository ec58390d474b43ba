#include "bwrap_backend.hpp"
#include "local_provider.hpp"
#include "probe_run.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/make_plugin.hpp>

#include <boost/describe.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cordon::sandbox_local {

struct Config {
    /// Absolute path of the program; absent: found on PATH.
    std::optional<std::string> bwrap;
    /// How long one backend may take to show that it works.
    std::chrono::milliseconds probe_timeout{5000};
};

BOOST_DESCRIBE_STRUCT(Config, (), (bwrap, probe_timeout))

namespace {

void check(const Config& config) {
    constexpr std::int64_t kLongest = 2147483647;  // milliseconds (spec TM-1)
    if (config.probe_timeout.count() <= 0 || config.probe_timeout.count() > kLongest) {
        throw Error{
            "sandbox-local: probeTimeoutMs must be a positive finite number", "INVALID_CONFIG"};
    }
    if (config.bwrap && !config.bwrap->starts_with('/')) {
        throw Error{
            "sandbox-local: bwrap must be an absolute path: " + *config.bwrap, "INVALID_CONFIG"};
    }
}

Task<Verdict> probe_in(Context context, std::chrono::milliseconds timeout, ConfinedArgv confined) {
    // Optional: a chain of one is confined without a probe, and doctor says what is missing.
    const auto subprocess = context.get<SubprocessService>();
    if (!subprocess) {
        Verdict verdict;
        verdict.why_not = "no subprocess service to run the probe with";
        co_return verdict;
    }
    co_return co_await run_probe(*subprocess, std::move(confined), timeout);
}

Task<> start(Context context, Config config) {
    check(config);
    auto look = [&config] {
        return look_for_bwrap(config.bwrap);
    };
    BwrapInstallation installation = co_await offload(look);

    ProbeRun probe = [context, timeout = config.probe_timeout](ConfinedArgv confined) {
        return probe_in(context, timeout, std::move(confined));
    };
    std::vector<std::shared_ptr<Backend>> chain{
        std::make_shared<BwrapBackend>(std::move(installation), std::move(probe))};
    auto provider = std::make_shared<LocalProvider>(
        context.executor(),
        std::move(chain),
        [context](std::string_view message) { context.log(LogLevel::warn, message); }
    );
    // Registered first, so that it happens after the service was withdrawn.
    context.effect("sandbox-local: probes", [provider] { return provider->stop(); });
    context.provide<SandboxProvider>(provider);
}

PluginPtr describe() {
    PluginFacts facts;
    facts.name = "sandbox-local";
    facts.version = "0.1.0";
    facts.provides = {std::string{SandboxProvider::service_name}};
    return make_plugin(std::move(facts), &start);
}

}  // namespace
}  // namespace cordon::sandbox_local

CORDON_PLUGIN(cordon::sandbox_local::describe);
