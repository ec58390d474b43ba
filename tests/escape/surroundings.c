// escape-surroundings WHAT COMMAND...: runs the command where something is missing.
//
//   userns, mount, landlock, notify   the system calls for it are refused
//   landlocked                        inside a Landlock domain that allows everything

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define IS(value, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, no)
#define HAS(bits, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, no)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

enum { OPEN_TREE = 428, MOVE_MOUNT = 429, MOUNT_SETATTR = 442, CLONE3 = 435 };

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

static struct sock_filter no_mount[] = {
    LOAD(nr),
    IS(SYS_mount, 1),
    REFUSE(EPERM),
    IS(OPEN_TREE, 1),
    REFUSE(EPERM),
    IS(MOVE_MOUNT, 1),
    REFUSE(EPERM),
    IS(MOUNT_SETATTR, 1),
    REFUSE(EPERM),
    ALLOW};
static struct sock_filter no_landlock[] = {
    LOAD(nr), IS(CREATE_RULESET, 1), REFUSE(ENOSYS), IS(RESTRICT_SELF, 1), REFUSE(ENOSYS), ALLOW};
static struct sock_filter no_userns[] = {
    LOAD(nr),
    IS(CLONE3, 1),
    REFUSE(ENOSYS),
    IS(SYS_clone, 3),
    LOAD(args[0]),
    HAS(CLONE_NEWUSER, 5),
    REFUSE(EPERM),
    IS(SYS_unshare, 3),
    LOAD(args[0]),
    HAS(CLONE_NEWUSER, 1),
    REFUSE(EPERM),
    ALLOW};
static struct sock_filter no_notify[] = {
    LOAD(nr),
    IS(SYS_seccomp, 3),
    LOAD(args[1]),
    HAS(SECCOMP_FILTER_FLAG_NEW_LISTENER, 1),
    REFUSE(EINVAL),
    ALLOW};

struct surrounding {
    const char* name;
    struct sock_filter* code;
    unsigned short size;
};

#define FILTER(name, code) \
    { name, code, sizeof code / sizeof *code }
static const struct surrounding surroundings[] = {
    FILTER("mount", no_mount),
    FILTER("landlock", no_landlock),
    FILTER("userns", no_userns),
    FILTER("notify", no_notify)};

static int enter_landlock(void) {
    const uint64_t everything = 0x7fff;

    struct __attribute__((packed)) {
        uint64_t access;
        int32_t folder;
    } rule = {everything, open("/", O_PATH | O_CLOEXEC)};

    long ruleset = syscall(CREATE_RULESET, &everything, sizeof everything, 0);
    return ruleset < 0 || syscall(ADD_RULE, ruleset, 1, &rule, 0) ||
           syscall(RESTRICT_SELF, ruleset, 0);
}

static int enter(const char* what) {
    if (!strcmp(what, "landlocked"))
        return enter_landlock();
    for (size_t i = 0; i < sizeof surroundings / sizeof *surroundings; i++) {
        if (strcmp(what, surroundings[i].name))
            continue;
        struct sock_fprog program = {surroundings[i].size, surroundings[i].code};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0;
    }
    errno = EINVAL;
    return 1;
}

int main(int count, char** words) {
    if (count < 3)
        return 64;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || enter(words[1])) {
        perror(words[1]);
        return 77;
    }
    execvp(words[2], words + 2);
    perror(words[2]);
    return 70;
}
