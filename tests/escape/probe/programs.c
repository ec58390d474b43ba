#include "probe.h"

#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/timex.h>

extern char** environ;

static void p_memfd(void) {
    int m = TRY(memfd_create("x", MFD_CLOEXEC));
    int f = open(self, O_RDONLY);
    char b[65536];
    ssize_t n;
    while ((n = read(f, b, sizeof b)) > 0) {
        write(m, b, n);
    }
    self_arguments[1] = "create";
    fflush(stdout);
    TRY(fexecve(m, self_arguments, environ));
}

static void p_suid(void) {
    char* a[] = {joined(base, "/suid/suid"), joined(base, "/suid/rootout"), NULL};
    fflush(stdout);
    pid_t c = fork();
    if (!c) {
        execv(a[0], a);
        note_error("exec suid");
        _exit(1);
    }
    waitpid(c, NULL, 0);
}

static void p_fcap(void) {
    char* a[] = {joined(base, "/suid/fcap"), joined(base, "/suid/rootout"), NULL};
    fflush(stdout);
    pid_t c = fork();
    if (!c) {
        execv(a[0], a);
        note_error("exec fcap");
        _exit(1);
    }
    waitpid(c, NULL, 0);
}

static void p_firejail(void) {
    pid_t c = fork();
    fflush(stdout);
    if (!c) {
        execlp(
            "firejail",
            "firejail",
            "--quiet",
            "--noprofile",
            "/bin/sh",
            "-c",
            joined("echo x > ", outside("/firejailed")),
            NULL
        );
        _exit(1);
    }
    waitpid(c, NULL, 0);
}

static void p_suid_drop(void) {
    int fd = TRY(open(inside("/rootsh"), O_CREAT | O_WRONLY, 0755));
    if (fd < 0) {
        return;
    }
    close(fd);
    if (TRY(chmod(inside("/rootsh"), 04755)) == 0) {
        struct stat s;
        if (!stat(inside("/rootsh"), &s) && s.st_mode & S_ISUID) {
            channel_open("set-uid file left in the workspace");
        }
    }
}

static void p_suid_drop_create(void) {
    int fd = TRY(open(inside("/rootsh2"), O_CREAT | O_WRONLY, 04755));
    struct stat s;
    if (fd >= 0 && !fstat(fd, &s) && s.st_mode & S_ISUID) {
        channel_open("set-uid file created by open(mode)");
    }
}

static void p_fcap_drop(void) {
    write_to(inside("/capf"), O_CREAT | O_WRONLY);
    unsigned char v[20] = {1, 0, 0, 2, 2, 0, 0, 0};
    if (TRY(setxattr(inside("/capf"), "security.capability", v, 20, 0)) == 0) {
        channel_open("file capability left in the workspace");
    }
}

static void p_dev_drop(void) {
    if (TRY(mknod(inside("/nul"), S_IFCHR | 0666, makedev(1, 5))) == 0) {
        channel_open("device node left in the workspace");
    }
}

static void p_git_hook(void) {
    mkdir(inside("/.git"), 0755);
    mkdir(inside("/.git/hooks"), 0755);
    if (!write_to(inside("/.git/hooks/post-commit"), O_CREAT | O_WRONLY)) {
        channel_open(".git/hooks writable (host runs it later)");
    }
}

static void p_fsize(void) {
    char* p = may_write_workspace() ? inside("/huge") : joined("/tmp/", mark);
    int fd = TRY(open(p, O_CREAT | O_WRONLY, 0644));
    if (fd >= 0 && TRY(ftruncate(fd, 1L << 40)) == 0) {
        channel_open("1 TiB file allowed (no size limit)");
    }
    if (fd >= 0) {
        unlink(p);
    }
}

static void p_nested_caps(void) {
    if (enter_user_namespace(CLONE_NEWUSER)) {
        return;
    }
    channel_open("user namespace creatable inside (kernel attack surface)");
}

static void p_bpf(void) {
    union {
        char b[128];

        struct {
            uint32_t t, k, v, m;
        } c;
    } a = {.c = {1, 4, 4, 1}};

    a.c.t = 2;
    if (TRY(syscall(SYS_bpf, 0, &a, sizeof a)) >= 0) {
        channel_open("bpf(BPF_MAP_CREATE)");
    }
}

static void p_module(void) {
    if (syscall(SYS_init_module, "x", 1, "") && errno != EPERM && errno != ENOSYS) {
        note_error("init_module");
        channel_open("init_module reaches the kernel");
    }
}

static void p_settime(void) {
    struct timex x = {0};
    if (TRY(adjtimex(&x)) < 0) {
        return;
    }
    x.modes = ADJ_STATUS;
    if (TRY(adjtimex(&x)) >= 0) {
        escaped("system clock adjustable");
    }
}

static void p_hostname(void) {
    char h[128];
    gethostname(h, 128);
    if (TRY(sethostname(h, strlen(h))) == 0) {
        struct stat a;
        char b[64];
        (void)a;
        (void)b;
        channel_open("hostname settable");
    }
}

const struct probe programs_probes[] = {
    PROBE(memfd, "exec", 'F', "b", "b", "-"),
    PROBE(suid, "exec", 'F', "b", "user", "-"),
    PROBE(fcap, "exec", 'F', "b", "user", "-"),
    PROBE(firejail, "exec", 'F', "b", "b", "-"),
    PROBE(suid_drop, "report", 'R', "ww", "b", "-"),
    PROBE(suid_drop_create, "report", 'R', "ww", "b", "-"),
    PROBE(fcap_drop, "report", 'R', "ww", "root", "-"),
    PROBE(dev_drop, "report", 'R', "ww", "root", "-"),
    PROBE(git_hook, "report", 'R', "ww", "b", "-"),
    PROBE(fsize, "report", 'R', "b", "b", "-"),
    PROBE(nested_caps, "report", 'R', "b", "b", "-"),
    PROBE(bpf, "report", 'R', "b", "root", "-"),
    PROBE(module, "report", 'R', "b", "root", "-"),
    PROBE(settime, "kern", 'S', "b", "root", "-"),
    PROBE(hostname, "report", 'R', "b", "root", "-"),
    {0},
};
