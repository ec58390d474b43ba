#include "probe.h"

#include <mqueue.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/un.h>

static int connect_to_helper(int abs) {
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    socklen_t l;
    if (abs) {
        l = offsetof(struct sockaddr_un, sun_path) + 1 +
            sprintf(a.sun_path + 1, "esc_abs_%d", helper_pid);
    } else {
        snprintf(a.sun_path, sizeof a.sun_path, "%s/sock/s", base);
        l = sizeof a;
    }
    if (connect(s, (void*)&a, l)) {
        note_error(abs ? "connect(abstract)" : "connect(path)");
        close(s);
        return -1;
    }
    return s;
}

static void p_sock_path(void) {
    int s = connect_to_helper(0);
    if (s >= 0) {
        write(s, "W", 1);
        char c;
        if (read(s, &c, 1) == 1) {
            channel_open("host helper wrote on our behalf (path socket)");
        }
    }
}

static void p_sock_abs(void) {
    int s = connect_to_helper(1);
    if (s >= 0) {
        write(s, "W", 1);
        char c;
        if (read(s, &c, 1) == 1) {
            channel_open("host helper wrote on our behalf (abstract socket)");
        }
    }
}

static int recvfd(int s) {
    char c;
    char cb[CMSG_SPACE(4)];
    struct iovec v = {&c, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = cb, .msg_controllen = sizeof cb};
    if (recvmsg(s, &m, 0) < 1) {
        return -1;
    }
    struct cmsghdr* h = CMSG_FIRSTHDR(&m);
    return h ? *(int*)CMSG_DATA(h) : -1;
}

static void p_scm(void) {
    int s = connect_to_helper(0);
    if (s < 0) {
        s = connect_to_helper(1);
    }
    if (s < 0) {
        return;
    }
    write(s, "F", 1);
    int fd = recvfd(s);
    if (fd >= 0 && write(fd, "SCM\n", 4) == 4) {
        channel_open("wrote through a descriptor received from the host");
    }
}

static void p_sysv(void) {
    int i = TRY(shmget(0x45534331, 4096, IPC_CREAT | 0600));
    if (i >= 0) {
        char* m = shmat(i, 0, 0);
        if (m != (void*)-1) {
            memcpy(m, "ESC", 4);
            channel_open("SysV shm");
        }
    }
}

static void p_mq(void) {
    mqd_t q = mq_open("/escmq", O_CREAT | O_RDWR, 0600, NULL);
    if (q == (mqd_t)-1) {
        note_error("mq_open");
    } else {
        channel_open("POSIX mqueue");
    }
}

static void p_keyring(void) {
    long k = TRY(syscall(SYS_add_key, "user", "esc_mark_key", "x", 1, -4));
    if (k >= 0) {
        channel_open("user keyring");
        syscall(SYS_keyctl, 9 /*unlink*/, k, -4);
    }
}

static void p_flock(void) {
    int fd = open(outside("/file"), O_RDONLY);
    struct flock l = {.l_type = F_RDLCK};
    if (TRY(fcntl(fd, F_SETLK, &l)) == 0) {
        channel_open("advisory lock on outside file");
    }
}

const struct probe ipc_probes[] = {
    PROBE(sock_path, "report", 'R', "b", "b", "h"),
    PROBE(sock_abs, "report", 'R', "b", "b", "h"),
    PROBE(scm, "report", 'R', "b", "b", "h"),
    PROBE(sysv, "report", 'R', "b", "b", "-"),
    PROBE(mq, "report", 'R', "b", "b", "-"),
    PROBE(keyring, "report", 'R', "b", "b", "-"),
    PROBE(flock, "report", 'R', "b", "b", "-"),
    {0},
};
