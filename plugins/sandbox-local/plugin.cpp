#include "bwrap_backend.hpp"
#include "config.hpp"
#include "launcher_backend.hpp"
#include "local_provider.hpp"
#include "probe_run.hpp"
#include "runner_backend.hpp"

#include <cordon/async/offload.hpp>
#include <cordon/base/error.hpp>
#include <cordon/context/make_plugin.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cordon::sandbox_local {

namespace {

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

std::shared_ptr<Backend> make_backend(
    const std::string& name,
    const Installation& installation,
    const Containment& containment,
    const ProbeRun& probe
) {
    if (name == "bwrap") {
        return std::make_shared<BwrapBackend>(installation, containment, probe);
    }
    const LauncherKind kind = name == "native" ? LauncherKind::native : LauncherKind::landlock;
    return std::make_shared<LauncherBackend>(kind, installation, containment, probe);
}

std::vector<std::shared_ptr<Backend>> make_chain(
    const Config& config, const Installation& installation, const ProbeRun& probe
) {
    std::vector<std::shared_ptr<Backend>> chain;
    if (!config.runner_command.empty()) {
        chain.push_back(
            std::make_shared<RunnerBackend>(config.runner_command, config.runner_failure_signatures)
        );
        return chain;
    }
    for (const std::string& name : config.chain) {
        chain.push_back(make_backend(name, installation, containment_of(config), probe));
    }
    return chain;
}

Task<> start(Context context, Config config) {
    check(config);
    auto look = [&config] {
        return look_for_programs(config.bwrap);
    };
    const Installation installation = co_await offload(look);

    ProbeRun probe = [context, timeout = config.probe_timeout](ConfinedArgv confined) {
        return probe_in(context, timeout, std::move(confined));
    };
    LocalProvider::Settings settings;
    settings.places = places_of(config);
    settings.keep_temporary = config.temporary == "session";
    auto provider = std::make_shared<LocalProvider>(
        context.executor(),
        make_chain(config, installation, probe),
        [context](std::string_view message) { context.log(LogLevel::warn, message); },
        std::move(settings)
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
