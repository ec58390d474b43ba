#include "probe.h"

#include <linux/loop.h>
#include <sys/timex.h>

static void p_sysctl(void) {
    int fd = TRY(open("/proc/sys/kernel/printk_ratelimit_burst", O_WRONLY));
    if (fd >= 0) {
        TRY(write(fd, "11\n", 3));
    }
}

static void p_core_pattern(void) {
    int fd = TRY(open("/proc/sys/kernel/core_pattern", O_WRONLY));
    if (fd >= 0) {
        escaped("core_pattern openable");
    }
}

static void p_sysrq(void) {
    int fd = TRY(open("/proc/sysrq-trigger", O_WRONLY));
    if (fd >= 0) {
        escaped("sysrq-trigger openable");
    }
    fd = TRY(open("/proc/sys/kernel/sysrq", O_WRONLY));
    if (fd >= 0) {
        escaped("sys.kernel.sysrq openable");
    }
}

static void p_sysfs(void) {
    char b[128];
    sprintf(b, "/sys/block/loop%d/queue/read_ahead_kb", loop_number);
    int fd = TRY(open(b, O_WRONLY));
    if (fd >= 0) {
        TRY(write(fd, "136\n", 4));
    }
}

static void p_cgroup_mkdir(void) {
    TRY(mkdir(joined("/sys/fs/cgroup/pids/", mark), 0755));
    TRY(mkdir(joined("/sys/fs/cgroup/unified/", mark), 0755));
}

static void p_cgroup_mount(void) {
    if (unshare(CLONE_NEWNS)) {
        note_error("unshare");
        return;
    }
    make_mounts_private();
    if (TRY(mount("esc", at_mount_point(""), "cgroup", 0, "pids")) == 0) {
        TRY(mkdir(joined(at_mount_point("/"), mark), 0755));
        int fd = TRY(open(at_mount_point("/release_agent"), O_WRONLY));
        if (fd >= 0) {
            escaped("mounted cgroup: release_agent openable");
        }
        umount2(at_mount_point(""), MNT_DETACH);
    }
}

static void p_proc_mount(void) {
    if (unshare(CLONE_NEWNS)) {
        note_error("unshare");
        return;
    }
    make_mounts_private();
    if (TRY(mount("esc", at_mount_point(""), "proc", 0, NULL)) == 0) {
        int fd = TRY(open(at_mount_point("/sys/kernel/printk_ratelimit_burst"), O_WRONLY));
        if (fd >= 0) {
            TRY(write(fd, "11\n", 3));
        }
        umount2(at_mount_point(""), MNT_DETACH);
    }
}

static void p_userns_proc(void) {
    if (enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID)) {
        return;
    }
    pid_t c = fork();
    if (!c) {
        make_mounts_private();
        if (TRY(mount("esc", at_mount_point(""), "proc", 0, NULL)) == 0) {
            int fd = TRY(open(at_mount_point("/sys/kernel/printk_ratelimit_burst"), O_WRONLY));
            if (fd >= 0) {
                TRY(write(fd, "11\n", 3));
            }
        }
        _exit(0);
    }
    waitpid(c, NULL, 0);
}

static void p_devmem(void) {
    char b[256];
    if (scratch(b, "mem")) {
        return;
    }
    if (TRY(mknod(b, S_IFCHR | 0600, makedev(1, 1)))) {
        return;
    }
    int fd = TRY(open(b, O_RDWR));
    if (fd >= 0) {
        escaped("/dev/mem openable");
    }
    unlink(b);
    fd = TRY(open("/dev/mem", O_RDWR));
    if (fd >= 0) {
        escaped("/dev/mem openable");
    }
}

static void p_kmsg(void) {
    int fd = TRY(open("/dev/kmsg", O_WRONLY));
    if (fd >= 0) {
        TRY(write(fd, "esc probe\n", 10));
        escaped("/dev/kmsg writable");
    }
}

static int blkwrite(const char* p) {
    int fd = TRY(open(p, O_WRONLY | O_SYNC));
    if (fd < 0) {
        return -1;
    }
    char z[512] = "PWNBLK";
    TRY(pwrite(fd, z, 512, 0));
    fsync(fd);
    close(fd);
    return 0;
}

static void p_blk_mknod(void) {
    const char* d[] = {workspace, "/tmp", "/dev/shm", "/dev", "/var/tmp", NULL};
    for (int i = 0; d[i]; i++) {
        char b[256];
        sprintf(b, "%s/%s_blk", d[i], mark);
        if (TRY(mknod(b, S_IFBLK | 0600, makedev(7, loop_number)))) {
            continue;
        }
        int r = blkwrite(b);
        unlink(b);
        if (!r) {
            return;
        }
    }
}

static void p_blk_dev(void) {
    char b[64];
    sprintf(b, "/dev/loop%d", loop_number);
    blkwrite(b);
}

static void p_blk_ioctl_ro(void) {
    char b[64];
    sprintf(b, "/dev/loop%d", loop_number);
    int fd = TRY(open(b, O_RDONLY));
    int on = 256;
    if (fd >= 0) {
        if (TRY(ioctl(fd, _IO(0x12, 98), (long)on)) == 0) {
            escaped("BLKRASET on a read-only device fd");
        }
    }
}

static void p_loop_ctl(void) {
    int fd = TRY(open("/dev/loop-control", O_RDONLY));
    if (fd >= 0) {
        TRY(ioctl(fd, LOOP_CTL_ADD, 77));
    }
}

/* tiocsti: the pty runner looks at the input queue afterwards */
static void p_tiocsti(void) {
    for (const char* s = "escaped\n"; *s; s++) {
        if (ioctl(0, TIOCSTI, s)) {
            note_error("TIOCSTI(0)");
            break;
        }
    }
    int t = open("/dev/tty", O_RDWR);
    if (t < 0) {
        note_error("/dev/tty");
    } else {
        for (const char* s = "escaped\n"; *s; s++) {
            if (ioctl(t, TIOCSTI, s)) {
                note_error("TIOCSTI(tty)");
                break;
            }
        }
    }
}

static void p_tty_reset(void) {
    int t = open("/dev/tty", O_RDWR);
    if (t < 0) {
        note_error("/dev/tty");
        return;
    }
    channel_open("/dev/tty reachable (can draw on the host terminal)");
}

const struct probe kernel_probes[] = {
    PROBE(sysctl, "kern", 'F', "b", "root", "-"),
    PROBE(core_pattern, "kern", 'S', "b", "root", "-"),
    PROBE(sysrq, "kern", 'S', "b", "root", "-"),
    PROBE(sysfs, "kern", 'F', "b", "root", "-"),
    PROBE(cgroup_mkdir, "kern", 'F', "b", "root", "-"),
    PROBE(cgroup_mount, "kern", 'S', "b", "root", "-"),
    PROBE(proc_mount, "kern", 'F', "b", "root", "-"),
    PROBE(userns_proc, "kern", 'F', "b", "root", "-"),
    PROBE(devmem, "kern", 'S', "b", "root", "-"),
    PROBE(kmsg, "kern", 'S', "b", "root", "-"),
    PROBE(blk_mknod, "kern", 'F', "b", "root", "-"),
    PROBE(blk_dev, "kern", 'F', "b", "root", "-"),
    PROBE(blk_ioctl_ro, "kern", 'S', "b", "root", "-"),
    PROBE(loop_ctl, "kern", 'F', "b", "root", "-"),
    PROBE(tiocsti, "tty", 'F', "b", "b", "p"),
    PROBE(tty_reset, "report", 'R', "b", "b", "p"),
    {0},
};
