#include "probe.h"

#include <sys/statvfs.h>

struct mount_attributes {
    uint64_t set, clr, prop, ufd;
};

static void try_remount(void) {
    struct statvfs v;
    const char* mp[] = {"/", outside_root, base, "/opt", NULL};
    for (int i = 0; mp[i]; i++) {
        TRY(mount(NULL, mp[i], NULL, MS_REMOUNT | MS_BIND, NULL));
        TRY(mount(NULL, mp[i], NULL, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV, NULL));
        struct mount_attributes a = {0, 1, 0, 0};
        TRY(syscall(442, AT_FDCWD, mp[i], 0, &a, sizeof a));
        TRY(syscall(442, AT_FDCWD, mp[i], 0x8000, &a, sizeof a));
    }
    (void)v;
    write_to(outside("/remounted"), O_CREAT | O_WRONLY);
}

static void p_remount_rw(void) {
    if (!getuid()) {
        if (!unshare(CLONE_NEWNS)) {
            make_mounts_private();
        }
    }
    try_remount();
}

static void p_userns_remount(void) {
    if (!enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        make_mounts_private();
        try_remount();
    }
}

static void bindtry(const char* at) {
    const char* src[] = {outside_root, "/", base, NULL};
    for (int i = 0; src[i]; i++) {
        for (int rec = 0; rec < 2; rec++) {
            if (TRY(mount(src[i], at, NULL, MS_BIND | (rec ? MS_REC : 0), NULL)) == 0) {
                TRY(mount(NULL, at, NULL, MS_REMOUNT | MS_BIND, NULL));
                char* q = i == 0   ? joined(at, "/bnd")
                          : i == 1 ? joined(at, outside("/bnd"))
                                   : joined(at, "/out/bnd");
                write_to(q, O_CREAT | O_WRONLY);
                umount2(at, MNT_DETACH);
            }
        }
    }
}

static void p_bind(void) {
    if (getuid() || !unshare(CLONE_NEWNS)) {
        make_mounts_private();
        bindtry(at_mount_point(""));
        if (may_write_workspace()) {
            mkdir(inside("/m"), 0755);
            bindtry(inside("/m"));
        }
    }
}

static void p_userns_bind(void) {
    if (!enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        make_mounts_private();
        bindtry(at_mount_point(""));
        if (may_write_workspace()) {
            mkdir(inside("/m"), 0755);
            bindtry(inside("/m"));
        }
    }
}

static void opentree(void) {
    for (int rec = 0; rec < 2; rec++) {
        const char* s[] = {outside_root, "/", base, NULL};
        for (int i = 0; s[i]; i++) {
            int fd = TRY(syscall(428, AT_FDCWD, s[i], 1 | O_CLOEXEC | (rec ? 0x8000 : 0)));
            if (fd < 0) {
                continue;
            }
            struct mount_attributes a = {0, 1, 0, 0};
            TRY(syscall(442, fd, "", 0x1000 | (rec ? 0x8000 : 0), &a, sizeof a));
            int f = TRY(openat(
                fd,
                i == 0   ? "ot"
                : i == 1 ? outside("/ot") + 1
                         : "out/ot",
                O_CREAT | O_WRONLY,
                0644
            ));
            if (f >= 0) {
                close(f);
            }
            close(fd);
            fd =
                TRY(syscall(467, AT_FDCWD, s[i], 1 | O_CLOEXEC | (rec ? 0x8000 : 0), &a, sizeof a));
            if (fd >= 0) {
                f = TRY(openat(
                    fd,
                    i == 0   ? "ota"
                    : i == 1 ? outside("/ota") + 1
                             : "out/ota",
                    O_CREAT | O_WRONLY,
                    0644
                ));
                close(fd);
            }
        }
    }
}

static void p_userns_open_tree(void) {
    if (!enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        opentree();
    }
}

static void p_umount_over(void) {
    TRY(umount2(outside_root, MNT_DETACH));
    TRY(umount2("/opt", MNT_DETACH));
    TRY(umount2(workspace, MNT_DETACH));
    write_to(inside("/under"), O_CREAT | O_WRONLY);
    TRY(umount2("/tmp", MNT_DETACH));
    if (!may_write_workspace()) {
        write_to(joined("/tmp/", mark), O_CREAT | O_WRONLY);
    }
    TRY(umount2("/", MNT_DETACH));
    write_to(outside("/um"), O_CREAT | O_WRONLY);
}

static void pivot(void) {
    if (TRY(mount("esc", at_mount_point(""), "tmpfs", 0, NULL))) {
        return;
    }
    TRY(mkdir(at_mount_point("/old"), 0755));
    if (TRY(syscall(SYS_pivot_root, at_mount_point(""), at_mount_point("/old")))) {
        return;
    }
    write_to(joined("/old", outside("/piv")), O_CREAT | O_WRONLY);
    TRY(mount(NULL, "/old", NULL, MS_REMOUNT | MS_BIND, NULL));
    write_to(joined("/old", outside("/piv2")), O_CREAT | O_WRONLY);
}

static void p_pivot(void) {
    if (!unshare(CLONE_NEWNS)) {
        make_mounts_private();
        pivot();
    } else {
        note_error("unshare");
    }
}

static void p_userns_pivot(void) {
    if (!enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        make_mounts_private();
        pivot();
    }
}

static void p_chroot(void) {
    int r = open("/", O_PATH | O_DIRECTORY);
    if (getuid() && enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        return;
    }
    if (TRY(chroot("/proc"))) {
        return;
    }
    TRY(fchdir(r));
    for (int i = 0; i < 40; i++) {
        chdir("..");
    }
    write_to(outside("/chr") + 1, O_CREAT | O_WRONLY);
}

static void p_setns_mnt(void) {
    char b[64];
    sprintf(b, "/proc/%d/ns/mnt", helper_pid);
    int fd = TRY(open(b, O_RDONLY));
    if (fd >= 0 && TRY(setns(fd, CLONE_NEWNS)) == 0) {
        write_to(outside("/setns"), O_CREAT | O_WRONLY);
    }
}

static void p_setns_user(void) {
    char b[64];
    sprintf(b, "/proc/%d/ns/user", helper_pid);
    int fd = TRY(open(b, O_RDONLY));
    if (fd >= 0) {
        TRY(setns(fd, CLONE_NEWUSER));
    }
    p_setns_mnt();
}

/* open_by_handle_at ("shocker") through every directory we can write to */
static void byhandle(void) {
    struct {
        struct file_handle h;
        char b[128];
    } fh;

    fh.h.handle_bytes = 128;
    int mid;
    if (TRY(name_to_handle_at(AT_FDCWD, outside("/file"), &fh.h, &mid, 0))) {
        return;
    }
    const char* d[] = {workspace, "/tmp", "/", "/dev", outside_root, NULL};
    for (int i = 0; d[i]; i++) {
        int m = open(d[i], O_RDONLY | O_DIRECTORY);
        if (m < 0) {
            continue;
        }
        int fd = open_by_handle_at(m, &fh.h, O_WRONLY | O_APPEND);
        if (fd < 0) {
            note_error(d[i]);
            continue;
        }
        TRY(write(fd, "HANDLE\n", 7));
        close(fd);
    }
}

static void p_handle(void) {
    byhandle();
}

static void p_open_tree(void) {
    opentree();
}

/* Without a namespace of its own: what the sandbox has is changed in place. */
static void p_remount_inplace(void) {
    try_remount();
}

static void p_sysfs_remount(void) {
    TRY(mount(NULL, "/sys", NULL, MS_REMOUNT | MS_BIND, NULL));
    char path[128];
    sprintf(path, "/sys/block/loop%d/queue/read_ahead_kb", loop_number);
    int fd = TRY(open(path, O_WRONLY));
    if (fd >= 0) {
        TRY(write(fd, "136\n", 4));
    }
}

/* The harness mounts a file system below the forbidden folder while the probe runs. */
static void p_late_mount(void) {
    for (int i = 0; i < 150; i++) {
        if (access(outside("/shared/mp/flag"), F_OK) == 0) {
            break;
        }
        usleep(20000);
    }
    write_to(outside("/shared/mp/late_new"), O_CREAT | O_WRONLY);
}

/* A device node in a file system of one's own, where no `nodev` is set. */
static void p_blk_tmpfs(void) {
    if (unshare(CLONE_NEWNS)) {
        note_error("unshare");
        return;
    }
    make_mounts_private();
    if (TRY(mount("esc", at_mount_point(""), "tmpfs", 0, NULL))) {
        return;
    }
    if (TRY(mknod(at_mount_point("/blk"), S_IFBLK | 0600, makedev(7, loop_number))) == 0) {
        write_to(at_mount_point("/blk"), O_WRONLY | O_SYNC);
    }
}

static void p_userns_umount(void) {
    if (!enter_user_namespace(CLONE_NEWUSER | CLONE_NEWNS)) {
        p_umount_over();
    }
}

const struct probe mounts_probes[] = {
    PROBE(remount_rw, "mount", 'F', "b", "root", "-"),
    PROBE(userns_remount, "mount", 'F', "b", "b", "-"),
    PROBE(bind, "mount", 'F', "b", "root", "-"),
    PROBE(userns_bind, "mount", 'F', "b", "b", "-"),
    PROBE(userns_open_tree, "mount", 'F', "b", "b", "-"),
    PROBE(umount_over, "mount", 'F', "b", "root", "n"),
    PROBE(pivot, "mount", 'F', "b", "root", "-"),
    PROBE(userns_pivot, "mount", 'F', "b", "b", "-"),
    PROBE(chroot, "mount", 'F', "b", "b", "-"),
    PROBE(setns_mnt, "mount", 'F', "b", "root", "h"),
    PROBE(setns_user, "mount", 'F', "b", "b", "h"),
    PROBE(handle, "mount", 'F', "b", "root", "-"),
    PROBE(open_tree, "mount", 'F', "b", "root", "-"),
    PROBE(remount_inplace, "mount", 'F', "b", "root", "n"),
    PROBE(sysfs_remount, "mount", 'F', "b", "root", "n"),
    PROBE(late_mount, "mount", 'F', "b", "b", "l"),
    PROBE(blk_tmpfs, "kern", 'F', "b", "root", "-"),
    PROBE(userns_umount, "mount", 'F', "b", "b", "-"),
    {0},
};
