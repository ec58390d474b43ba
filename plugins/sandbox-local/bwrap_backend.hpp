#pragma once

#include "backend.hpp"
#include "host_facts.hpp"
#include "probe_run.hpp"
#include "program_lookup.hpp"

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What the backend was made from: found once, when the plugin starts.
struct BwrapInstallation {
    HostFacts facts;
    ProgramSearch bwrap;
    ProgramSearch launcher;
};

/// bubblewrap with a hardened profile, and cordon-launch inside of it.
class BwrapBackend : public Backend {
public:
    BwrapBackend(BwrapInstallation installation, ProbeRun probe_run);

    [[nodiscard]] std::string_view name() const override { return "bwrap"; }

    [[nodiscard]] std::optional<std::string> obstacle(const ConfinementRequest& request
    ) const override;
    [[nodiscard]] ConfinedArgv wrap(
        const ConfinementRequest& request, const std::vector<std::string>& command
    ) const override;
    [[nodiscard]] Task<Verdict> probe() override;
    [[nodiscard]] std::vector<std::string> facts() const override;
    [[nodiscard]] std::vector<std::string> open_effects() const override;

private:
    BwrapInstallation installation_;
    ProbeRun probe_run_;
};

/// `bwrap` from `path` where one was configured, else from PATH; the launcher from beside
/// libcordon. Blocks on the file system.
[[nodiscard]] BwrapInstallation look_for_bwrap(const std::optional<std::string>& configured);

}  // namespace cordon::sandbox_local
