// escape-probe NAME KEY=VALUE...   tries one thing
// escape-probe --list              name category kind modes users flags, one probe a line
//
// Prints @@START first, so that "contained" can be told from "did not run".

#include "probe.h"

extern const struct probe direct_probes[];
extern const struct probe metadata_probes[];
extern const struct probe path_probes[];
extern const struct probe descriptors_probes[];
extern const struct probe mounts_probes[];
extern const struct probe processes_probes[];
extern const struct probe kernel_probes[];
extern const struct probe uring_probes[];
extern const struct probe ipc_probes[];
extern const struct probe programs_probes[];
extern const struct probe races_probes[];

static const struct probe* const families[] = {
    direct_probes,
    metadata_probes,
    path_probes,
    descriptors_probes,
    mounts_probes,
    processes_probes,
    kernel_probes,
    uring_probes,
    ipc_probes,
    programs_probes,
    races_probes,
};
static const size_t family_count = sizeof families / sizeof *families;

const char* outside_root;
const char* workspace;
const char* mode;
const char* mark;
const char* base;
int helper_pid;
int victim_pid;
unsigned long flag_address;
int loop_number;
char* self;
char** self_arguments;

static const struct probe* find(const char* name) {
    for (size_t family = 0; family < family_count; ++family) {
        for (const struct probe* probe = families[family]; probe->name; ++probe) {
            if (!strcmp(probe->name, name)) {
                return probe;
            }
        }
    }
    return NULL;
}

static void list(void) {
    for (size_t family = 0; family < family_count; ++family) {
        for (const struct probe* probe = families[family]; probe->name; ++probe) {
            printf(
                "%s %s %c %s %s %s\n",
                probe->name,
                probe->category,
                probe->kind,
                probe->modes,
                probe->users,
                probe->flags
            );
        }
    }
}

static unsigned long number(const char* name) {
    const char* value = getenv(name);
    return value ? strtoul(value, NULL, 0) : 0;
}

static int read_fixture(void) {
    outside_root = getenv("E_OUT");
    workspace = getenv("E_WS");
    mode = getenv("E_MODE");
    mark = getenv("E_MARK");
    base = getenv("E_BASE");
    helper_pid = (int)number("E_HPID");
    victim_pid = (int)number("E_VPID");
    flag_address = number("E_FLAG");
    loop_number = (int)number("E_LOOP");
    return outside_root && workspace && mode && mark && base;
}

int main(int argument_count, char** arguments) {
    if (argument_count > 1 && !strcmp(arguments[1], "--list")) {
        list();
        return 0;
    }
    const struct probe* probe = argument_count > 1 ? find(arguments[1]) : NULL;
    if (!probe) {
        return 2;
    }
    self = arguments[0];
    self_arguments = arguments;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 2; i < argument_count; ++i) {
        putenv(arguments[i]);
    }
    if (!read_fixture()) {
        return 2;
    }
    umask(022);
    printf("@@START %s\n", probe->name);
    probe->run();
    printf("@@END\n");
    return 0;
}
