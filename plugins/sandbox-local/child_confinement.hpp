#pragma once

#include "launcher_plan.hpp"

#include <cordon/sandbox/child_confinement.hpp>

#include <string>

namespace cordon::sandbox_local {

/// The launcher's restrictions, applied by whoever makes the child: the same code as in
/// cordon-launch, without the program around it.
class LauncherConfinement : public ChildConfinement {
public:
    /// Errors: code `INVALID_POLICY` for more paths than there is room for.
    LauncherConfinement(LauncherPlan plan, const HostFacts& facts);

    [[nodiscard]] unsigned long namespaces() const noexcept override;
    [[nodiscard]] ChildFailure become(const ChildProgram& program) const noexcept override;

private:
    LauncherPlan plan_;
    std::string temporary_variable_;
    launch::Options options_;
    unsigned user_;
    unsigned group_;
};

}  // namespace cordon::sandbox_local
