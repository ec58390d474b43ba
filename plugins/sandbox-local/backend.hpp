#pragma once

#include "request.hpp"

#include <cordon/async/task.hpp>
#include <cordon/sandbox/provider.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::sandbox_local {

/// What a probe found.
struct Verdict {
    bool usable = false;
    /// Nothing that happens while this process runs changes it, so it may be kept although it is
    /// bad: the program is missing. A timeout or a full process table is not of that kind.
    bool lasting = false;
    std::string why_not;
};

/// One way to confine, a rung of the chain.
class Backend {
public:
    virtual ~Backend() = default;

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Why this call cannot be confined here, known without trying; empty where it can. An empty
    /// text: there is nothing to say beyond "not installed".
    [[nodiscard]] virtual std::optional<std::string> obstacle(const ConfinementRequest& request
    ) const = 0;

    /// Precondition: no obstacle.
    [[nodiscard]] virtual ConfinedArgv wrap(
        const ConfinementRequest& request, const std::vector<std::string>& command
    ) const = 0;

    /// Confines a program that does nothing, with the flags of real calls.
    ///
    /// Cancellation: ends what was started. Errors: none of its own; what fails is the verdict.
    [[nodiscard]] virtual Task<Verdict> probe() = 0;

    /// What was looked at, for `doctor`.
    [[nodiscard]] virtual std::vector<std::string> facts() const = 0;

    /// Which file effects stay possible in the wider mode; none: enforcement is `full` in both.
    [[nodiscard]] virtual std::vector<std::string> open_effects() const = 0;

protected:
    Backend() = default;
};

}  // namespace cordon::sandbox_local
