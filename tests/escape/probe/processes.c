#include "probe.h"

#include <sys/acct.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

static void p_ptrace(void) {
    if (TRY(ptrace(PTRACE_SEIZE, helper_pid, 0, 0))) {
        return;
    }
    TRY(ptrace(PTRACE_INTERRUPT, helper_pid, 0, 0));
    int st;
    waitpid(helper_pid, &st, __WALL);
    TRY(ptrace(PTRACE_POKEDATA, helper_pid, flag_address, 0x4e5750));
    ptrace(PTRACE_DETACH, helper_pid, 0, 0);
    usleep(150000);
}

static void p_vm_writev(void) {
    long v = 0x4e5750;
    struct iovec l = {&v, 8};
    struct iovec r = {(void*)flag_address, 8};
    TRY(process_vm_writev(helper_pid, &l, 1, &r, 1, 0));
    usleep(150000);
}

static void p_proc_mem(void) {
    char b[64];
    sprintf(b, "/proc/%d/mem", helper_pid);
    int fd = TRY(open(b, O_RDWR));
    long v = 0x4e5750;
    if (fd >= 0) {
        TRY(pwrite(fd, &v, 8, flag_address));
    }
    usleep(150000);
}

static void p_kill(void) {
    if (TRY(kill(victim_pid, SIGTERM)) == 0) {
        channel_open("kill host process");
    }
}

static void p_pidfd_kill(void) {
    int p = TRY(syscall(434, victim_pid, 0));
    if (p >= 0 && TRY(syscall(424, p, SIGTERM, NULL, 0)) == 0) {
        channel_open("pidfd_send_signal host process");
    }
}

static void p_prlimit(void) {
    struct rlimit r = {64, 64};
    if (TRY(prlimit(victim_pid, RLIMIT_NOFILE, &r, NULL)) == 0) {
        channel_open("prlimit host process");
    }
}

static void p_renice(void) {
    if (TRY(setpriority(PRIO_PROCESS, victim_pid, 19)) == 0) {
        channel_open("renice host process");
    }
}

static void p_oomadj(void) {
    char b[64];
    sprintf(b, "/proc/%d/oom_score_adj", victim_pid);
    int fd = TRY(open(b, O_WRONLY));
    if (fd >= 0 && TRY(write(fd, "900", 3)) == 3) {
        escaped("host process oom_score_adj written");
    }
}

static void daemonize(const char* tag, int delay_ms, void (*fn)(void)) {
    if (fork() == 0) {
        setsid();
        if (fork()) {
            _exit(0);
        }
        for (int i = 0; i < 64; i++) {
            close(i);
        }
        prctl(PR_SET_NAME, tag);
        prctl(PR_SET_PDEATHSIG, 0);
        usleep(delay_ms * 1000);
        fn();
        usleep(900000);
        _exit(0);
    }
    int st;
    wait(&st);
}

static void late(void) {
    open(outside("/late"), O_CREAT | O_WRONLY, 0644);
    open(joined("/tmp/", mark), O_CREAT | O_WRONLY, 0644);
    open(inside("/late_alive"), O_CREAT | O_WRONLY, 0644);
}

static void p_daemon(void) {
    daemonize("escdaemon", 500, late);
}

static void nop(void) {}

static void p_daemon_live(void) {
    daemonize("escdaemon", 0, nop);
}

static void p_acct(void) {
    if (TRY(acct(outside("/file"))) == 0) {
        for (int i = 0; i < 3; i++) {
            if (!fork()) {
                _exit(0);
            }
            wait(NULL);
        }
        TRY(acct(NULL));
    }
}

const struct probe processes_probes[] = {
    PROBE(ptrace, "proc", 'F', "b", "b", "h"),
    PROBE(vm_writev, "proc", 'F', "b", "b", "h"),
    PROBE(proc_mem, "proc", 'F', "b", "b", "h"),
    PROBE(kill, "report", 'R', "b", "b", "h"),
    PROBE(pidfd_kill, "report", 'R', "b", "b", "h"),
    PROBE(prlimit, "report", 'R', "b", "b", "h"),
    PROBE(renice, "report", 'R', "b", "b", "h"),
    PROBE(oomadj, "proc", 'S', "b", "b", "h"),
    PROBE(daemon, "proc", 'F', "b", "b", "d"),
    PROBE(daemon_live, "report", 'R', "b", "b", "d"),
    PROBE(acct, "proc", 'F', "b", "root", "-"),
    {0},
};
