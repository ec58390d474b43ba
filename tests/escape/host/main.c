// escape-host: the part of the harness that works outside of every sandbox, as root.
//
//   reset BASE UID GID                  a fresh fixture, owned by UID and GID
//   fingerprint BASE MODE MARK LOOP     everything that a probe must not change, one line each
//   prepare BASE UID GID MODE MARK LOOP reset, then fingerprint
//   check BASE MODE MARK LOOP OLD NEW DIFFERENCE   fingerprint into NEW, changes against OLD
//   restore MARK LOOP                   undo what a probe did to the host as a whole
//   ipc sysv|mq                         0 where a probe's object is visible here
//   daemons [kill]                      count processes that outlived a probe
//   helper BASE                         the process of the host that probes talk to
//   pty FOLDER COMMAND...               run on a terminal of its own, then look for injected input
//   run BASE UID SECONDS COMMAND...     with a clean environment, as UID, ended after SECONDS

#include "host.h"

#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static int is(const char* word, const char* command, int arguments, int needed) {
    return !strcmp(word, command) && arguments >= needed;
}

/// The shell reads the result: 0 for "there".
static int find_ipc(const char* kind) {
    if (!strcmp(kind, "sysv")) {
        return shmget(0x45534331, 0, 0) < 0;
    }
    return mq_open("/escmq", O_RDONLY) == (mqd_t)-1;
}

static int fingerprint_and_compare(char** v) {
    if (!freopen(v[6], "w", stdout)) {
        return 2;
    }
    print_fingerprint(v[1], v[2], v[3], atoi(v[4]));
    if (!freopen(v[7], "w", stdout)) {
        return 2;
    }
    return print_changes(v[5], v[6]);
}

static int prepare(char** v) {
    owner = (uid_t)atoi(v[2]);
    group = (gid_t)atoi(v[3]);
    reset(v[1]);
    fflush(stdout);
    return print_fingerprint(v[1], v[4], v[5], atoi(v[6]));
}

static int run_command(int c, char** v) {
    if (is(v[0], "reset", c, 4)) {
        owner = (uid_t)atoi(v[2]);
        group = (gid_t)atoi(v[3]);
        return reset(v[1]);
    }
    if (is(v[0], "fingerprint", c, 5)) {
        return print_fingerprint(v[1], v[2], v[3], atoi(v[4]));
    }
    if (is(v[0], "prepare", c, 7)) {
        return prepare(v);
    }
    if (is(v[0], "check", c, 8)) {
        return fingerprint_and_compare(v);
    }
    if (is(v[0], "restore", c, 3)) {
        return restore(v[1], atoi(v[2]));
    }
    if (is(v[0], "ipc", c, 2)) {
        return find_ipc(v[1]);
    }
    if (is(v[0], "daemons", c, 1)) {
        return list_daemons(c > 1);
    }
    if (is(v[0], "helper", c, 2)) {
        return help(v[1]);
    }
    if (is(v[0], "pty", c, 3)) {
        return run_on_terminal(v[1], v + 2);
    }
    if (is(v[0], "run", c, 5)) {
        return run_as(v[1], atoi(v[2]), atoi(v[3]), v + 4);
    }
    return 64;
}

int main(int argument_count, char** arguments) {
    if (argument_count < 2) {
        return 64;
    }
    umask(0);
    return run_command(argument_count - 1, arguments + 1);
}
