#pragma once

#include "backend.hpp"

#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// A runner that the operator answers for: it understands bubblewrap's options, and the seed's
/// profile is passed to it (spec LP-5, LP-25..LP-27). Never probed; `full` because the operator
/// says so.
class RunnerBackend : public Backend {
public:
    RunnerBackend(std::vector<std::string> command, std::vector<std::string> failure_signatures);

    [[nodiscard]] std::string_view name() const override { return "runnerCommand"; }

    [[nodiscard]] std::optional<std::string> obstacle(const ConfinementRequest& request
    ) const override;
    [[nodiscard]] ConfinedArgv wrap(
        const ConfinementRequest& request, const std::vector<std::string>& command
    ) const override;
    [[nodiscard]] Task<Verdict> probe() override;
    [[nodiscard]] std::vector<std::string> facts() const override;

    [[nodiscard]] std::vector<std::string> open_effects() const override { return {}; }

private:
    std::vector<std::string> command_;
    std::vector<std::string> failure_signatures_;
};

}  // namespace cordon::sandbox_local
