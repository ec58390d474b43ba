#include "commands.hpp"
#include "exit_code.hpp"
#include "options.hpp"
#include "output.hpp"
#include "session.hpp"

#include <cordon/base/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace cordon::cli;

int dispatch(const Options& options) {
    switch (options.command) {
        case Command::run:
            return run_command(options);
        case Command::confine:
            return confine_command(options);
        case Command::compose:
            return compose_command(options);
        case Command::check:
            return check_command(options);
        case Command::eval:
            return eval_command(options);
        case Command::doctor:
            return doctor_command(options);
        case Command::plugins:
            return plugins_command(options);
        case Command::graph:
            return graph_command(options);
        case Command::profile:
            return profile_command(options);
    }
    return kUsage;
}

int failure_status(Command command) {
    return command == Command::run || command == Command::confine ? kCannotRun : kFailure;
}

/// Whether everything that was printed has got to where standard output goes.
bool flush_output() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return true;
    }
    print_to(
        stderr, "cordon: {}\n", cordon::system_error("write", "standard output", errno).message()
    );
    return false;
}

/// A closed standard stream would be the number of the next file that is opened, and be read or
/// written by mistake.
void open_standard_streams() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != fd) {
            std::_Exit(kCannotRun);
        }
    }
}

int run(const std::vector<std::string>& arguments) {
    try {
        const Options options = parse_options(arguments);
        try {
            return dispatch(options);
        } catch (...) {
            report_failure(options.global, std::current_exception());
            return failure_status(options.command);
        }
    } catch (const UsageExit& usage) {
        print_to(usage.to_stdout ? stdout : stderr, "{}", usage.text);
        return usage.status;
    }
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    const std::vector<std::string> arguments{argv, argv + argc};
    const int status = run(arguments);
    if (!flush_output() && status == 0) {
        return kFailure;
    }
    return status;
}
