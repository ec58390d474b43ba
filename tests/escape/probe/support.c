#include "probe.h"

int may_write_workspace(void) {
    return !strcmp(mode, "ww");
}

char* joined(const char* left, const char* right) {
    char* text;
    if (asprintf(&text, "%s%s", left, right) < 0) {
        abort();
    }
    return text;
}

void note_error(const char* what) {
    printf("  %s: %s\n", what, strerror(errno));
}

void escaped(const char* what) {
    printf("@@ESC %s\n", what);
}

void channel_open(const char* what) {
    printf("@@OPEN %s\n", what);
}

int write_to(const char* path, int flags) {
    const int fd = open(path, flags | O_CLOEXEC, 0644);
    if (fd < 0) {
        note_error(path);
        return -1;
    }
    if (write(fd, "PWN\n", 4) != 4) {
        note_error("write");
    }
    close(fd);
    return 0;
}

int scratch(char* buffer, const char* name) {
    const char* const folders[] = {
        may_write_workspace() ? workspace : "/tmp",
        "/tmp",
        "/dev/shm",
        "/dev",
        "/var/tmp",
        workspace};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
        sprintf(buffer, "%s/%s_%s", folders[i], mark, name);
        const int fd = open(buffer, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (fd >= 0) {
            close(fd);
            unlink(buffer);
            return 0;
        }
    }
    return -1;
}

static void map_to_root(const char* map, unsigned id) {
    char line[64];
    sprintf(line, "0 %u 1", id);
    const int fd = open(map, O_WRONLY);
    if (fd < 0 || write(fd, line, strlen(line)) < 0) {
        note_error(map);
    }
    close(fd);
}

int enter_user_namespace(int flags) {
    const uid_t uid = getuid();
    const gid_t gid = getgid();
    if (unshare(flags)) {
        note_error("unshare");
        return -1;
    }
    if (flags & CLONE_NEWUSER) {
        const int fd = open("/proc/self/setgroups", O_WRONLY);
        if (fd >= 0) {
            TRY(write(fd, "deny", 4));
            close(fd);
        }
        map_to_root("/proc/self/uid_map", uid);
        map_to_root("/proc/self/gid_map", gid);
    }
    return 0;
}

void make_mounts_private(void) {
    TRY(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
}
