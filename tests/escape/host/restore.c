#include "host.h"

#include <dirent.h>
#include <linux/loop.h>
#include <mqueue.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>

void visit_marks(const char* mark, int ro, int rm) {
    const char* d[] = {
        "/var/tmp/",
        "/dev/shm/",
        "/dev/",
        "/sys/fs/cgroup/pids/",
        "/sys/fs/cgroup/unified/",
        "/tmp/",
        NULL};
    for (int i = 0; d[i]; i++) {
        if (!strcmp(d[i], "/tmp/") && !ro && !rm) {
            continue;
        }
        DIR* D = opendir(d[i]);
        struct dirent* e;
        while (D && (e = readdir(D))) {
            if (!strncmp(e->d_name, mark, strlen(mark))) {
                char b[4096];
                snprintf(b, 4096, "%s%s", d[i], e->d_name);
                if (rm) {
                    if (unlink(b)) {
                        rmdir(b);
                    }
                } else {
                    printf("MARK %s\n", b);
                }
            }
        }
        if (D) {
            closedir(D);
        }
    }
}

static void write_text(const char* p, const char* s) {
    int fd = open(p, O_WRONLY);
    if (fd >= 0) {
        if (write(fd, s, strlen(s)) < 0) {
            perror(p);
        }
        close(fd);
    }
}

int restore(const char* mark, int loop) {
    visit_marks(mark, 1, 1);
    chmod("/dev/full", 0666);
    if (chown("/dev/full", 0, 0)) {
        perror("full");
    }
    write_text("/proc/sys/kernel/printk_ratelimit_burst", "10\n");
    char b[128];
    snprintf(b, 128, "/sys/block/loop%d/queue/read_ahead_kb", loop);
    write_text(b, "128\n");
    int fd = open("/dev/loop-control", O_RDWR);
    if (fd >= 0) {
        if (!access("/dev/loop77", F_OK)) {
            ioctl(fd, LOOP_CTL_REMOVE, 77);
        }
        close(fd);
    }
    snprintf(b, 128, "/dev/loop%d", loop);
    fd = open(b, O_WRONLY);
    if (fd >= 0) {
        char z[512] = {0};
        if (pwrite(fd, z, 512, 0) < 0) {
            perror(b);
        }
        close(fd);
    }
    int id = shmget(0x45534331, 0, 0);
    if (id >= 0) {
        shmctl(id, IPC_RMID, 0);
    }
    mq_unlink("/escmq");
    return 0;
}

int list_daemons(int k) {
    DIR* d = opendir("/proc");
    struct dirent* e;
    int n = 0;
    while ((e = readdir(d))) {
        if (e->d_name[0] < '0' || e->d_name[0] > '9') {
            continue;
        }
        char b[300];
        char c[64] = "";
        snprintf(b, 300, "/proc/%s/comm", e->d_name);
        int fd = open(b, O_RDONLY);
        if (fd < 0) {
            continue;
        }
        int r = read(fd, c, 63);
        close(fd);
        if (r > 0 && !strncmp(c, "escdaemon", 9)) {
            n++;
            if (k) {
                kill(atoi(e->d_name), SIGKILL);
            }
        }
    }
    closedir(d);
    printf("%d\n", n);
    return n ? 0 : 1;
}
