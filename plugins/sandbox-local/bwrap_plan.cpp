#include "bwrap_plan.hpp"

#include <cordon/sandbox/roots.hpp>

#include <initializer_list>

namespace cordon::sandbox_local {
namespace {

using Words = std::vector<std::string>;

void append(Words& to, std::initializer_list<std::string> words) {
    to.insert(to.end(), words);
}

/// Uid 0 keeps what it needs for files of other owners, and the two capabilities that the launcher
/// needs to seal the mounts and drops then. A user namespace would not help: uid 0 in it is still
/// the owner of sysctls and device nodes, and foreign files would belong to nobody.
void add_privileges(Words& argv, const HostFacts& facts) {
    if (!facts.is_root) {
        append(argv, {"--unshare-user", "--disable-userns"});
        return;
    }
    append(argv, {"--cap-drop", "ALL"});
    for (const char* kept :
         {"CAP_CHOWN",
          "CAP_DAC_OVERRIDE",
          "CAP_FOWNER",
          "CAP_FSETID",
          "CAP_SETUID",
          "CAP_SETGID",
          "CAP_KILL",
          "CAP_SYS_ADMIN",
          "CAP_SETPCAP"}) {
        append(argv, {"--cap-add", kept});
    }
}

/// The order counts: what comes later covers what comes earlier.
void add_common_view(Words& argv) {
    append(argv, {"--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"});
    append(argv, {"--ro-bind", "/", "/", "--dev", "/dev"});
    // bubblewrap leaves /proc/sys of a new procfs writable, and its owner is uid 0 whatever the
    // capabilities.
    append(argv, {"--unshare-pid", "--proc", "/proc", "--remount-ro", "/proc"});
    append(argv, {"--die-with-parent"});
}

void add_writable_view(
    Words& argv,
    const ConfinementRequest& request,
    const HostFacts& facts,
    const BwrapPrograms& programs
) {
    if (has_private_tmp(request, facts)) {
        append(argv, {"--perms", "1777", "--tmpfs", kTemporaryFolder});
        if (is_within(programs.launcher, kTemporaryFolder)) {
            append(argv, {"--ro-bind", programs.launcher, programs.launcher});
        }
    }
    // After the private /tmp, so that a workspace below /tmp stays visible.
    for (const std::string& place : writable_places(request)) {
        append(argv, {"--bind", place, place});
    }
    for (const std::string& path : request.read_only_paths) {
        append(argv, {"--ro-bind", path, path});
    }
}

}  // namespace

BwrapPlan plan_bwrap(
    const ConfinementRequest& request,
    const HostFacts& facts,
    const BwrapPrograms& programs,
    const std::vector<std::string>& command,
    const Containment& containment
) {
    BwrapPlan plan;
    Words& argv = plan.argv;
    append(argv, {programs.bwrap});
    add_privileges(argv, facts);
    add_common_view(argv);
    if (!containment.network) {
        append(argv, {"--unshare-net"});
    }
    if (request.mode == ConfinedSandboxMode::workspace_write) {
        add_writable_view(argv, request, facts, programs);
    }
    append(argv, {"--", programs.launcher});
    plan.launcher_options = argv.size();
    const Words options = launcher_words(plan_inside_bwrap(request, facts));
    argv.insert(argv.end(), options.begin(), options.end());
    append(argv, {command.empty() ? "--check" : "--"});
    argv.insert(argv.end(), command.begin(), command.end());
    return plan;
}

}  // namespace cordon::sandbox_local
