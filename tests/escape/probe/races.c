#include "probe.h"

#include <pthread.h>
#include <time.h>

static volatile int stop;
static char racebuf[512];
static const char *ra, *rb;

static void* flip_mem(void* x) {
    while (!stop) {
        memcpy(racebuf, ra, strlen(ra) + 1);
        memcpy(racebuf, rb, strlen(rb) + 1);
    }
    return x;
}

static void* flip_sym(void* x) {
    int i = 0;
    while (!stop) {
        char* t = inside("/rl.tmp");
        unlink(t);
        if (symlink(i++ & 1 ? outside("/file") : inside("/target"), t)) {
            usleep(100);
        }
        rename(t, inside("/rl"));
        free(t);
    }
    return x;
}

static void* flip_dir(void* x) {
    while (!stop) {
        syscall(SYS_renameat2, AT_FDCWD, inside("/rd"), AT_FDCWD, inside("/rs"), 2);
    }
    return x;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void race(void* (*f)(void*), const char* path) {
    pthread_t t;
    write_to(inside("/target"), O_CREAT | O_WRONLY);
    pthread_create(&t, 0, f, 0);
    double e = now() + 0.8;
    long n = 0;
    long ok = 0;
    int d = 0;
    while (now() < e) {
        n++;
        if (!chmod(path, 0600 | (d & 7))) {
            ok++;
        }
        d++;
        struct timespec ts[2] = {{986000000, 0}, {986000000, 0}};
        utimensat(AT_FDCWD, path, ts, 0);
        setxattr(path, "user.race", "1", 1, 0);
        chown(path, getuid(), getgid());
        truncate(path, 3);
        int fd = open(path, O_WRONLY | O_APPEND);
        if (fd >= 0) {
            write(fd, "r", 1);
            close(fd);
        }
    }
    stop = 1;
    pthread_join(t, 0);
    printf("  %ld tries, chmod ok %ld\n", n, ok);
}

static void p_race_sym(void) {
    TRY(symlink(inside("/target"), inside("/rl")));
    race(flip_sym, inside("/rl"));
}

static void p_race_mem(void) {
    ra = outside("/file");
    rb = inside("/target");
    strcpy(racebuf, rb);
    race(flip_mem, racebuf);
}

static void p_race_dir(void) {
    TRY(mkdir(inside("/rd"), 0755));
    write_to(inside("/rd/file"), O_CREAT | O_WRONLY);
    TRY(symlink(outside_root, inside("/rs")));
    race(flip_dir, inside("/rd/file"));
}

static void* thr_reopen(void* x) {
    int fd = *(int*)x;
    while (!stop) {
        dup2(fd, 50);
        int o = open(outside("/file"), O_RDONLY);
        if (o >= 0) {
            dup2(o, 50);
            close(o);
        }
    }
    return 0;
}

static void p_race_fd(void) {
    write_to(inside("/target"), O_CREAT | O_WRONLY);
    int fd = TRY(open(inside("/target"), O_RDONLY));
    pthread_t t;
    dup2(fd, 50);
    pthread_create(&t, 0, thr_reopen, &fd);
    double e = now() + 0.8;
    int d = 0;
    while (now() < e) {
        fchmod(50, 0600 | (d++ & 7));
        fsetxattr(50, "user.race", "1", 1, 0);
        struct timespec ts[2] = {{986000000, 0}, {986000000, 0}};
        futimens(50, ts);
        fchown(50, getuid(), getgid());
    }
    stop = 1;
    pthread_join(t, 0);
}

const struct probe races_probes[] = {
    PROBE(race_mem, "race", 'F', "b", "b", "-"),
    PROBE(race_dir, "race", 'F', "ww", "b", "-"),
    PROBE(race_fd, "race", 'F', "ww", "b", "-"),
    PROBE(race_sym, "race", 'F', "ww", "b", "-"),
    {0},
};
