#pragma once

#include "backend.hpp"
#include "bwrap_plan.hpp"
#include "installation.hpp"
#include "probe_run.hpp"

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// bubblewrap with a hardened profile, and cordon-launch inside of it.
class BwrapBackend : public Backend {
public:
    BwrapBackend(Installation installation, Containment containment, ProbeRun probe_run);

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
    Installation installation_;
    Containment containment_;
    ProbeRun probe_run_;
};

}  // namespace cordon::sandbox_local
