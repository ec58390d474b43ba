#include "child_confinement.hpp"

#include "launcher/become.hpp"
#include "launcher/confine.hpp"

#include <utility>

namespace cordon::sandbox_local {

LauncherConfinement::LauncherConfinement(LauncherPlan plan, const HostFacts& facts)
    : plan_(std::move(plan)),
      temporary_variable_("TMPDIR=" + plan_.temporary),
      options_(launcher_options(plan_)),
      user_(facts.user),
      group_(facts.group) {}

unsigned long LauncherConfinement::namespaces() const noexcept {
    return launch::namespaces_of(options_);
}

// Runs between clone and exec, and is therefore only a call of what the launcher is made of.
__attribute__((no_sanitize("address", "thread", "undefined"))) ChildFailure
LauncherConfinement::become(const ChildProgram& program) const noexcept {
    const launch::Program command{
        program.path,
        program.argv,
        program.envp,
        program.cwd,
        plan_.temporary.empty() ? nullptr : const_cast<char*>(temporary_variable_.c_str()),
        program.status_fd};
    const launch::Outcome outcome = launch::become(options_, {user_, group_}, command);
    return {outcome.step, outcome.error, outcome.subject == nullptr ? "" : outcome.subject};
}

}  // namespace cordon::sandbox_local
