#include "confine.hpp"

#include "capabilities.hpp"
#include "descriptors.hpp"
#include "identity.hpp"
#include "landlock.hpp"
#include "mounts.hpp"
#include "network.hpp"
#include "seccomp.hpp"
#include "system.hpp"
#include "view.hpp"

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/prctl.h>
#include <sched.h>

namespace cordon::launch {
namespace {

Outcome forbid_new_privileges() {
    const long result = sys::call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return result < 0 ? failure("no_new_privs", result) : kDone;
}

/// Enters the same directory in the new view: until then the process stands on a mount that the
/// view covers.
Outcome build_view_around(const Options& options) {
    char place[PATH_MAX];
    const long size = sys::call(__NR_getcwd, place, sizeof place);
    const Outcome outcome = build_view(options);
    if (outcome.failed() || options.workdir != nullptr) {
        return outcome;
    }
    // Where the view hides it, the command does not run somewhere else instead.
    const long result = size < 0 ? size : sys::call(__NR_chdir, place);
    return result < 0 ? failure("chdir", result) : kDone;
}

Outcome prepare_mounts(const Options& options, const Caller& caller) {
    if (!options.view) {
        return options.own_mounts ? seal_mounts() : kDone;
    }
    Outcome outcome = options.user_namespace ? keep_identity(caller.uid, caller.gid) : kDone;
    if (!outcome.failed() && !options.network) {
        outcome = raise_loopback();
    }
    return outcome.failed() ? outcome : build_view_around(options);
}

}  // namespace

Caller who_calls() {
    return {
        static_cast<uid_t>(sys::call(__NR_geteuid)), static_cast<gid_t>(sys::call(__NR_getegid))};
}

unsigned long namespaces_of(const Options& options) {
    if (!options.view) {
        return 0;
    }
    return CLONE_NEWNS | CLONE_NEWIPC |
           (options.user_namespace ? static_cast<unsigned long>(CLONE_NEWUSER) : 0) |
           (options.process_namespace ? static_cast<unsigned long>(CLONE_NEWPID) : 0) |
           (options.network ? 0 : static_cast<unsigned long>(CLONE_NEWNET));
}

Outcome confine(const Options& options, const Caller& caller, int& listener_fd) {
    // Mounts first: they need the capability that goes below.
    Outcome outcome = prepare_mounts(options, caller);
    // Through the finished view, and before what is left open is closed.
    if (!outcome.failed()) {
        outcome = secure_standard_streams();
    }
    if (!outcome.failed()) {
        outcome = close_others(options.status_fd);
    }
    int ruleset_fd = -1;
    if (!outcome.failed()) {
        outcome = prepare_landlock(plan_landlock(options), ruleset_fd);
    }
    if (!outcome.failed()) {
        outcome = apply_capabilities(plan_capabilities(caller.uid));
    }
    if (!outcome.failed()) {
        outcome = forbid_new_privileges();
    }
    if (!outcome.failed()) {
        outcome = apply_landlock(ruleset_fd);
    }
    // The filter last: it may forbid what the steps above need.
    if (!outcome.failed()) {
        const Filter filter = plan_filter(plan_filter_rules(options, caller.uid));
        outcome = apply_filter(filter, options.supervise ? &listener_fd : nullptr);
    }
    return outcome;
}

}  // namespace cordon::launch
