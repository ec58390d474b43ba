#include "host.h"

#include <dirent.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

static void clear_flags(const char* p) {
    int fd = open(p, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    int f;
    if (fd < 0) {
        return;
    }
    if (!ioctl(fd, FS_IOC_GETFLAGS, &f) && (f & (FS_IMMUTABLE_FL | FS_APPEND_FL))) {
        f &= ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
        ioctl(fd, FS_IOC_SETFLAGS, &f);
    }
    close(fd);
}

static void remove_tree(const char* p) {
    struct stat s;
    if (lstat(p, &s)) {
        return;
    }
    if (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode)) {
        clear_flags(p);
    }
    if (S_ISDIR(s.st_mode)) {
        DIR* d = opendir(p);
        struct dirent* e;
        while (d && (e = readdir(d))) {
            if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
                char b[4096];
                snprintf(b, 4096, "%s/%s", p, e->d_name);
                remove_tree(b);
            }
        }
        if (d) {
            closedir(d);
        }
        if (rmdir(p)) {
            perror(p);
        }
    } else if (unlink(p)) {
        perror(p);
    }
}

uid_t owner;
gid_t group;

static void make(const char* base, const char* rel, const char* data, int mode) {
    char b[4096];
    snprintf(b, 4096, "%s/%s", base, rel);
    if (!data) {
        mkdir(b, mode);
    } else {
        int fd = open(b, O_CREAT | O_WRONLY | O_TRUNC, 0600);
        if (write(fd, data, strlen(data)) < 0) {
            perror(b);
        }
        close(fd);
    }
    chmod(b, mode);
    if (lchown(b, owner, group)) {
        perror(b);
    }
}

int reset(const char* base) {
    char b[4096];
    char c[4096];
    const char* d[] = {
        "out",
        "ws",
        "ws.moved",
        "home",
        "mp",
        "parent_new",
        "parent_dir",
        "parent_via_fd",
        "keep",
        "sock",
        NULL};
    snprintf(b, 4096, "%s/suid/rootout/mark", base);
    unlink(b);
    chmod(base, 0755);
    for (int i = 0; d[i]; i++) {
        snprintf(b, 4096, "%s/%s", base, d[i]);
        remove_tree(b);
    }
    if (chown(base, owner, group)) {
        perror(base);
    }
    make(base, "out", 0, 0755);
    make(base, "ws", 0, 0755);
    make(base, "home", 0, 0755);
    make(base, "mp", 0, 0755);
    make(base, "keep", "k", 0644);
    make(base, "sock", 0, 0777);
    make(base, "out/file", "original\n", 0644);
    make(base, "out/file2", "second\n", 0644);
    snprintf(b, 4096, "%s/out/file2", base);
    setxattr(b, "user.keep", "1", 1, 0);
    static char big[65537];
    memset(big, 'B', 65536);
    make(base, "out/big", big, 0644);
    make(base, "out/inh", "inherit\n", 0644);
    make(base, "out/helperfd", "helper\n", 0644);
    make(base, "out/dir", 0, 0755);
    make(base, "out/dir/in", "x\n", 0644);
    make(base, "out/empty", 0, 0755);
    make(base, "out/shared", 0, 0755);
    make(base, "out/shared/mp", 0, 0755);
    snprintf(b, 4096, "%s/out/link", base);
    if (symlink("file", b) || lchown(b, owner, group)) {
        perror(b);
    }
    make(base, "ws/sub", 0, 0755);
    make(base, "ws/sub/f", "s\n", 0644);
    make(base, "ws/in.txt", "hello ws\n", 0644);
    snprintf(b, 4096, "%s/ws/presl", base);
    snprintf(c, 4096, "%s/out", base);
    if (symlink(c, b) || lchown(b, owner, group)) {
        perror(b);
    }
    return 0;
}
