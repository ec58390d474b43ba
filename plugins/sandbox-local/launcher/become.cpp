#include "become.hpp"

#include "environment.hpp"
#include "system.hpp"

namespace cordon::launch {

Outcome become(const Options& options, const Caller& caller, const Program& program) {
    Options call = options;
    call.status_fd = program.status_fd;
    call.workdir = program.workdir;
    int no_listener = -1;
    const Outcome outcome = confine(call, caller, no_listener);
    if (outcome.failed()) {
        return outcome;
    }
    if (const long result = sys::call(__NR_chdir, program.workdir); result < 0) {
        return failure("chdir", result, program.workdir);
    }
    if (program.temporary_variable != nullptr) {
        ensure_temporary_directory(program.environment, program.temporary_variable);
    }
    const long result = sys::call(__NR_execve, program.path, program.argv, program.environment);
    return failure("exec", result, program.path);
}

}  // namespace cordon::launch
