#pragma once

#include "backend.hpp"
#include "installation.hpp"
#include "launcher_plan.hpp"
#include "probe_run.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// What our own launcher builds without another runner.
enum class LauncherKind : std::uint8_t {
    /// Namespaces and a view of our own, Landlock and a filter on top.
    native,
    /// Landlock and a filter alone.
    landlock,
};

/// cordon-launch as the runner, and the same in-process where no supervisor is needed.
class LauncherBackend : public Backend {
public:
    LauncherBackend(
        LauncherKind kind, Installation installation, Containment containment, ProbeRun probe_run
    );

    [[nodiscard]] std::string_view name() const override;

    [[nodiscard]] std::optional<std::string> obstacle(const ConfinementRequest& request
    ) const override;
    [[nodiscard]] ConfinedArgv wrap(
        const ConfinementRequest& request, const std::vector<std::string>& command
    ) const override;
    [[nodiscard]] Task<Verdict> probe() override;
    [[nodiscard]] std::vector<std::string> facts() const override;
    [[nodiscard]] std::vector<std::string> open_effects() const override;

private:
    [[nodiscard]] LauncherPlan plan(const ConfinementRequest& request) const;
    [[nodiscard]] std::optional<PreparedArgv> prepare(
        const ConfinementRequest& request,
        const LauncherPlan& plan,
        const std::vector<std::string>& command
    ) const;
    [[nodiscard]] std::string explain(std::string why_not) const;

    LauncherKind kind_;
    Installation installation_;
    Containment containment_;
    ProbeRun probe_run_;
    /// In read-only no two calls differ.
    std::shared_ptr<const ChildConfinement> read_only_;
};

}  // namespace cordon::sandbox_local
