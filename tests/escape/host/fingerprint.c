#include "host.h"

#include <dirent.h>
#include <linux/fs.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

static void print_entry(const char* p, const char* name, int full) {
    struct stat s;
    if (lstat(p, &s)) {
        printf("%s MISSING\n", name);
        return;
    }
    printf("%s %o %d:%d", name, s.st_mode, s.st_uid, s.st_gid);
    if (!full) {
        printf("\n");
        return;
    }
    printf(
        " n%ld s%ld m%ld.%09ld c%ld.%09ld",
        (long)(S_ISDIR(s.st_mode) ? 0 : s.st_nlink),
        (long)(S_ISREG(s.st_mode) || S_ISLNK(s.st_mode) ? s.st_size : 0),
        s.st_mtim.tv_sec,
        s.st_mtim.tv_nsec,
        s.st_ctim.tv_sec,
        s.st_ctim.tv_nsec
    );
    if (s.st_atim.tv_sec < 1100000000) {
        printf(" a%ld", s.st_atim.tv_sec);
    }
    if (S_ISLNK(s.st_mode)) {
        char l[4096];
        int n = readlink(p, l, 4095);
        if (n > 0) {
            l[n] = 0;
            printf(" ->%s", l);
        }
    }
    if (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode)) {
        char l[4096];
        char v[256];
        int n = llistxattr(p, l, 4096);
        for (char* x = l; n > 0 && x < l + n; x += strlen(x) + 1) {
            int k = lgetxattr(p, x, v, 256);
            printf(" x:%s=%d", x, k);
        }
        int fd = open(p, O_RDONLY | O_NOATIME);
        int f;
        if (fd >= 0) {
            if (!ioctl(fd, FS_IOC_GETFLAGS, &f)) {
                printf(" f%x", f);
            }
            long ver = 0;
            if (!ioctl(fd, _IOR('v', 1, long), &ver)) {
                printf(" v%lx", ver);
            }
            if (S_ISREG(s.st_mode)) {
                uint64_t h = 1469598103934665603ull;
                unsigned char d[65536];
                ssize_t r;
                while ((r = read(fd, d, sizeof d)) > 0) {
                    for (ssize_t i = 0; i < r; i++) {
                        h = (h ^ d[i]) * 1099511628211ull;
                    }
                }
                printf(" h%016lx", h);
            }
            close(fd);
        }
    }
    printf("\n");
}

static int compare(const void* a, const void* b) {
    return strcmp(*(char**)a, *(char**)b);
}

static void print_tree(const char* p, const char* name, int rec, int full) {
    print_entry(p, name, full);
    struct stat s;
    if (!rec || lstat(p, &s) || !S_ISDIR(s.st_mode)) {
        return;
    }
    DIR* d = opendir(p);
    struct dirent* e;
    char* n[4096];
    int k = 0;
    while (d && (e = readdir(d)) && k < 4096) {
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            n[k++] = strdup(e->d_name);
        }
    }
    if (d) {
        closedir(d);
    }
    qsort(n, k, sizeof *n, compare);
    for (int i = 0; i < k; i++) {
        char b[4096];
        char c[4096];
        snprintf(b, 4096, "%s/%s", p, n[i]);
        snprintf(c, 4096, "%s/%s", name, n[i]);
        print_tree(b, c, rec == 2 ? 2 : 0, rec == 2 ? full : 0);
    }
}

static void print_start(const char* p) {
    char b[64];
    int fd = open(p, O_RDONLY);
    int n = fd < 0 ? 0 : read(fd, b, 16);
    printf("%s [", p);
    for (int i = 0; i < n; i++) {
        printf("%02x", (unsigned char)b[i]);
    }
    printf("]\n");
    if (fd >= 0) {
        close(fd);
    }
}

int print_fingerprint(const char* base, const char* mode, const char* mark, int loop) {
    char b[4096];
    int ro = !strcmp(mode, "ro");
    snprintf(b, 4096, "%s/out", base);
    print_tree(b, "out", 2, 1);
    snprintf(b, 4096, "%s/home", base);
    print_tree(b, "home", 2, 1);
    snprintf(b, 4096, "%s/suid/rootout", base);
    print_tree(b, "rootout", 2, 1);
    if (ro) {
        snprintf(b, 4096, "%s/ws", base);
        print_tree(b, "ws", 2, 1);
    }
    struct stat s;
    stat(base, &s);
    printf(
        "BASE %o %d:%d m%ld.%09ld c%ld.%09ld\n",
        s.st_mode,
        s.st_uid,
        s.st_gid,
        s.st_mtim.tv_sec,
        s.st_mtim.tv_nsec,
        s.st_ctim.tv_sec,
        s.st_ctim.tv_nsec
    );
    print_tree(base, "base", 1, 0);
    visit_marks(mark, ro, 0);
    print_entry("/dev/full", "/dev/full", 0);
    if (!access("/dev/loop77", F_OK)) {
        printf("/dev/loop77 exists\n");
    }
    print_start("/proc/sys/kernel/printk_ratelimit_burst");
    snprintf(b, 4096, "/sys/block/loop%d/queue/read_ahead_kb", loop);
    print_start(b);
    snprintf(b, 4096, "/dev/loop%d", loop);
    print_start(b);
    return 0;
}

int print_changes(const char* a, const char* b) { /* print names of changed lines, ';' separated */
    FILE* f[2] = {fopen(a, "r"), fopen(b, "r")};
    char* L[2][8192];
    int n[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        char* l = 0;
        size_t z = 0;
        while (f[k] && n[k] < 8192 && getline(&l, &z, f[k]) > 0) {
            L[k][n[k]++] = strdup(l);
        }
    }
    int out = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n[k]; i++) {
            int hit = 0;
            for (int j = 0; j < n[!k] && !hit; j++) {
                hit = !strcmp(L[k][i], L[!k][j]);
            }
            if (!hit && out++ < 4) {
                char* sp = strchr(L[k][i], ' ');
                if (sp && (sp = strpbrk(sp + 1, " \n"))) {
                    *sp = 0;
                }
                printf("%s%s;", k ? "+" : "-", L[k][i]);
            }
        }
    }
    return out ? 1 : 0;
}
