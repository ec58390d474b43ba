#include "seatbelt_plan.hpp"

#include <fmt/format.h>

namespace cordon::sandbox_local {

std::vector<std::string> plan_seatbelt(
    ConfinedSandboxMode mode,
    const std::vector<std::string>& roots,
    const std::vector<std::string>& command
) {
    // By its absolute path: the runner itself is not confined yet.
    std::vector<std::string> argv{"/usr/bin/sandbox-exec"};
    std::string profile =
        "(version 1) (allow default) (deny file-write*) (allow file-write* (literal "
        "\"/dev/null\"))";
    if (mode == ConfinedSandboxMode::workspace_write && !roots.empty()) {
        std::string subpaths;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            argv.emplace_back("-D");
            argv.push_back(fmt::format("ROOT{}={}", i, roots[i]));
            subpaths += fmt::format(" (subpath (param \"ROOT{}\"))", i);
        }
        profile += fmt::format(" (allow file-write*{})", subpaths);
    }
    argv.insert(argv.end(), {"-p", std::move(profile), "--"});
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

}  // namespace cordon::sandbox_local
