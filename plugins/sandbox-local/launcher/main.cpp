// cordon-launch: runs inside the view that a runner has made, adds what the runner cannot do, and
// becomes the command. Every failure before that ends with 125, a line on standard error and a
// record on the status descriptor; nothing has run then.

#include "capabilities.hpp"
#include "descriptors.hpp"
#include "environment.hpp"
#include "landlock.hpp"
#include "mounts.hpp"
#include "options.hpp"
#include "seccomp.hpp"
#include "status.hpp"

#include <cerrno>

#include <sys/prctl.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

Outcome forbid_new_privileges() {
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? kDone : failure("no_new_privs");
}

/// Puts every restriction in force. The order is part of the contract.
Outcome confine(const Options& options, const Status& status) {
    const uid_t uid = ::geteuid();
    Outcome outcome = status.prepare();
    // Mounts first: they need the capability that goes below.
    if (!outcome.failed() && options.own_mounts) {
        outcome = seal_mounts();
    }
    // Through the finished view, and before what is left open is closed.
    if (!outcome.failed()) {
        outcome = secure_standard_streams();
    }
    if (!outcome.failed()) {
        outcome = close_others(status.fd());
    }
    int ruleset_fd = -1;
    if (!outcome.failed()) {
        outcome = prepare_landlock(plan_landlock(options), ruleset_fd);
    }
    if (!outcome.failed()) {
        outcome = apply_capabilities(plan_capabilities(uid));
    }
    if (!outcome.failed()) {
        outcome = forbid_new_privileges();
    }
    if (!outcome.failed()) {
        outcome = apply_landlock(ruleset_fd);
    }
    // The filter last: it may forbid what the steps above need.
    if (!outcome.failed()) {
        outcome = apply_filter(plan_filter(plan_filter_rules(options, uid)));
    }
    return outcome;
}

/// What the command finds changed beside the restrictions.
Outcome prepare_command(const Options& options) {
    restore_command_variables(environ);
    if (options.temporary != nullptr && !ensure_temporary_directory(options.temporary)) {
        return failure("environment");
    }
    if (options.workdir == nullptr) {
        return kDone;
    }
    // The runner goes elsewhere without a word where its view hides the working directory.
    if (::chdir(options.workdir) != 0) {
        return failure("chdir", options.workdir);
    }
    return set_working_directory_variable(options.workdir) ? kDone : failure("environment");
}

/// Returns only where the command could not be started.
Outcome run_command(const Options& options) {
    const Outcome outcome = prepare_command(options);
    if (outcome.failed()) {
        return outcome;
    }
    ::execvp(options.command[0], options.command);
    return failure("exec", options.command[0]);
}

int launch(int argument_count, char** arguments) {
    Options options;
    Outcome outcome = parse_options(argument_count, arguments, options);
    const Status status{options.status_fd};
    if (!outcome.failed()) {
        outcome = confine(options, status);
    }
    if (!outcome.failed()) {
        outcome = status.confined();
    }
    if (!outcome.failed() && options.check) {
        return 0;
    }
    if (!outcome.failed()) {
        outcome = run_command(options);
    }
    status.fail(outcome);
}

}  // namespace
}  // namespace cordon::launch

int main(int argument_count, char** arguments) {
    return cordon::launch::launch(argument_count, arguments);
}
