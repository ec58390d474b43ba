#include "probe.h"

#include <utime.h>

static void p_chmod(void) {
    TRY(chmod(outside("/file"), 0600));
}

static void p_chmod_dir(void) {
    TRY(chmod(outside_root, 0700));
}

static void p_fchmod(void) {
    int fd = open(outside("/file"), O_RDONLY);
    TRY(fchmod(fd, 0601));
}

static void p_chmod_procfd(void) {
    int fd = open(outside("/file"), O_PATH);
    char b[64];
    sprintf(b, "/proc/self/fd/%d", fd);
    TRY(chmod(b, 0603));
}

static uid_t other_owner(void) {
    return getuid() ? getuid() : 65534;
} /* a user may "chown" to itself: changes ctime; root changes owner */

static void p_chown(void) {
    TRY(chown(outside("/file"), other_owner(), -1));
}

static void p_fchown(void) {
    int fd = open(outside("/file"), O_RDONLY);
    TRY(fchown(fd, other_owner(), getgid()));
}

static void p_lchown(void) {
    TRY(lchown(outside("/link"), other_owner(), getgid()));
}

static void p_utimes(void) {
    struct timeval t[2] = {{1e9, 0}, {1e9, 0}};
    TRY(utimes(outside("/file"), t));
}

static void p_utimensat(void) {
    struct timespec t[2] = {{986000000, 0}, {986000000, 0}};
    TRY(utimensat(AT_FDCWD, outside("/link"), t, AT_SYMLINK_NOFOLLOW));
}

static void p_futimens(void) {
    int fd = open(outside("/file"), O_RDONLY);
    struct timespec t[2] = {{986000001, 0}, {986000001, 0}};
    TRY(futimens(fd, t));
}

static void p_utimes_dir(void) {
    TRY(utimensat(AT_FDCWD, outside_root, NULL, 0));
}

static void p_setxattr(void) {
    TRY(setxattr(outside("/file"), "user.esc", "1", 1, 0));
}

static void p_fsetxattr(void) {
    int fd = open(outside("/file"), O_RDONLY);
    TRY(fsetxattr(fd, "user.esc", "2", 1, 0));
}

static void p_acl(void) {
    unsigned char a[] = {2, 0, 0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  7,
                         0, 1, 0,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
                         7, 0, 255, 255, 255, 255, 32, 0, 4,   0,   255, 255, 255, 255};
    TRY(setxattr(outside("/file"), "system.posix_acl_access", a, sizeof a, 0));
}

static void p_setflags(void) {
    int fd = open(outside("/file"), O_RDONLY);
    int f = 0;
    TRY(ioctl(fd, FS_IOC_GETFLAGS, &f));
    f |= FS_NODUMP_FL;
    TRY(ioctl(fd, FS_IOC_SETFLAGS, &f));
}

static void p_setflags_imm(void) {
    int fd = open(outside("/file"), O_RDONLY);
    int f = 0;
    TRY(ioctl(fd, FS_IOC_GETFLAGS, &f));
    f |= FS_IMMUTABLE_FL;
    TRY(ioctl(fd, FS_IOC_SETFLAGS, &f));
}

static void p_atime(void) {
    struct timespec t[2] = {{986000002, 0}, {0, UTIME_OMIT}};
    TRY(utimensat(AT_FDCWD, outside("/file"), t, 0));
}

static void p_devnode_meta(void) {
    TRY(chmod("/dev/full", 0646));
}

static void p_fchmodat2(void) {
    TRY(syscall(452, AT_FDCWD, outside("/file"), 0604, 0));
    int fd = open(outside("/file"), O_PATH);
    TRY(syscall(452, fd, "", 0604, AT_EMPTY_PATH));
}

static void p_fchownat_empty(void) {
    int fd = open(outside("/file"), O_PATH);
    TRY(fchownat(fd, "", other_owner(), (gid_t)-1, AT_EMPTY_PATH));
}

static void p_removexattr(void) {
    TRY(removexattr(outside("/file2"), "user.keep"));
}

/* struct xattr_args of setxattrat(2), Linux 6.13. */
static void p_setxattrat(void) {
    struct {
        uint64_t value;
        uint32_t size;
        uint32_t flags;
    } arguments = {(uint64_t)(uintptr_t) "1", 1, 0};

    TRY(syscall(463, AT_FDCWD, outside("/file"), 0, "user.at", &arguments, sizeof arguments));
}

static void p_fssetxattr(void) {
    int fd = open(outside("/file"), O_RDONLY);
    struct fsxattr attributes = {0};
    TRY(ioctl(fd, FS_IOC_FSGETXATTR, &attributes));
    attributes.fsx_xflags |= FS_XFLAG_NODUMP;
    TRY(ioctl(fd, FS_IOC_FSSETXATTR, &attributes));
}

static void p_setversion(void) {
    int fd = open(outside("/file"), O_RDONLY);
    long version = 4711;
    TRY(ioctl(fd, FS_IOC_SETVERSION, &version));
}

/* struct file_attr of file_setattr(2), Linux 6.17. */
static void p_file_setattr(void) {
    struct {
        uint64_t xflags;
        uint32_t extent_size;
        uint32_t extents;
        uint32_t project;
        uint32_t cow_extent_size;
    } attributes = {FS_XFLAG_NODUMP, 0, 0, 0, 0};

    TRY(syscall(469, AT_FDCWD, outside("/file"), &attributes, sizeof attributes, 0));
}

static void p_utime_old(void) {
    struct utimbuf times = {986000004, 986000004};
    TRY(utime(outside("/file"), &times));
}

static void p_parent_utimes(void) {
    TRY(utimensat(AT_FDCWD, base, NULL, 0));
}

static void p_devnode_chown(void) {
    TRY(chown("/dev/full", 65534, 65534));
}

const struct probe metadata_probes[] = {
    PROBE(chmod, "meta", 'F', "b", "b", "-"),
    PROBE(chmod_dir, "meta", 'F', "b", "b", "-"),
    PROBE(fchmod, "meta", 'F', "b", "b", "-"),
    PROBE(chmod_procfd, "meta", 'F', "b", "b", "-"),
    PROBE(chown, "meta", 'F', "b", "b", "-"),
    PROBE(fchown, "meta", 'F', "b", "b", "-"),
    PROBE(lchown, "meta", 'F', "b", "b", "-"),
    PROBE(utimes, "meta", 'F', "b", "b", "-"),
    PROBE(utimensat, "meta", 'F', "b", "b", "-"),
    PROBE(futimens, "meta", 'F', "b", "b", "-"),
    PROBE(utimes_dir, "meta", 'F', "b", "b", "-"),
    PROBE(setxattr, "meta", 'F', "b", "b", "-"),
    PROBE(fsetxattr, "meta", 'F', "b", "b", "-"),
    PROBE(acl, "meta", 'F', "b", "b", "-"),
    PROBE(setflags, "meta", 'F', "b", "b", "-"),
    PROBE(setflags_imm, "meta", 'F', "b", "root", "-"),
    PROBE(atime, "meta", 'F', "b", "b", "-"),
    PROBE(devnode_meta, "meta", 'F', "b", "root", "-"),
    PROBE(fchmodat2, "meta", 'F', "b", "b", "-"),
    PROBE(fchownat_empty, "meta", 'F', "b", "b", "-"),
    PROBE(removexattr, "meta", 'F', "b", "b", "-"),
    PROBE(setxattrat, "meta", 'F', "b", "b", "-"),
    PROBE(fssetxattr, "meta", 'F', "b", "b", "-"),
    PROBE(setversion, "meta", 'F', "b", "b", "-"),
    PROBE(file_setattr, "meta", 'F', "b", "b", "-"),
    PROBE(utime_old, "meta", 'F', "b", "b", "-"),
    PROBE(parent_utimes, "meta", 'F', "b", "b", "-"),
    PROBE(devnode_chown, "meta", 'F', "b", "root", "-"),
    {0},
};
