// cordon-init [--status-fd N] -- PROGRAM [ARG]...
//
// The first process of a process namespace, confined before it was executed: it starts the command,
// reaps what is left behind and ends as the command does. As small as a program can be, because
// every confined command pays for it.

#include "execute.hpp"
#include "options.hpp"
#include "reaper.hpp"
#include "status.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <sched.h>
#include <signal.h>

namespace cordon::launch {
namespace {

struct Command {
    char** words = nullptr;
    char** environment = nullptr;
    Status status{-1};
};

int become(void* argument) {
    const Command& command = *static_cast<const Command*>(argument);
    const long result = execute(command.words, command.environment);
    command.status.report(failure("exec", result));
    return result == -ENOENT ? 127 : 126;
}

/// Null where the words are not what our own provider writes.
bool parse(int count, char** words, Command& command) {
    int next = 1;
    if (count > next + 1 && equal(words[next], "--status-fd")) {
        int fd = 0;
        for (const char* digit = words[next + 1]; *digit != '\0'; ++digit) {
            fd = fd * 10 + (*digit - '0');
        }
        command.status = Status{fd};
        next += 2;
    }
    if (count <= next + 1 || !equal(words[next], "--")) {
        return false;
    }
    command.words = words + next + 1;
    return true;
}

int run(int count, char** words, char** environment) {
    Command command;
    if (!parse(count, words, command)) {
        return 125;
    }
    command.environment = environment;
    Outcome outcome = command.status.prepare();
    if (!outcome.failed()) {
        outcome = command.status.confined();
    }
    if (outcome.failed()) {
        return 125;
    }
    alignas(16) static char stack[16 * 1024];
    const long child =
        sys::clone_call(CLONE_VM | CLONE_VFORK | SIGCHLD, stack + sizeof stack, &become, &command);
    if (child < 0) {
        command.status.report(failure("clone", child));
        return 125;
    }
    command.status.close();
    return reap_until(child);
}

}  // namespace
}  // namespace cordon::launch

extern "C" int program(int count, char** words, char** environment) {
    return cordon::launch::run(count, words, environment);
}
