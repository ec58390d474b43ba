#include "commands.hpp"
#include "exit_code.hpp"
#include "options.hpp"
#include "session.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

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
        case Command::doctor:
            return doctor_command(options);
    }
    return kUsage;
}

int failure_status(Command command) {
    return command == Command::run || command == Command::confine ? kCannotRun : kFailure;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments{argv, argv + argc};
    try {
        const Options options = parse_options(arguments);
        try {
            return dispatch(options);
        } catch (...) {
            report_failure(options.global, std::current_exception());
            return failure_status(options.command);
        }
    } catch (const UsageExit& usage) {
        fmt::print(usage.to_stdout ? stdout : stderr, "{}", usage.text);
        return usage.status;
    }
}
