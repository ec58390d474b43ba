#include "host.h"

#include <poll.h>
#include <pty.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

static volatile long flag __attribute__((aligned(64))) = 0;

static void reply(int s, const char* base) {
    char c;
    if (read(s, &c, 1) != 1) {
        close(s);
        return;
    }
    char b[4096];
    if (c == 'W') {
        snprintf(b, 4096, "%s/sock/wrote", base);
        int fd = open(b, O_CREAT | O_WRONLY, 0644);
        close(fd);
        if (write(s, "K", 1) < 0) {}
    }
    if (c == 'F') {
        snprintf(b, 4096, "%s/sock/scm", base);
        int fd = open(b, O_CREAT | O_RDWR, 0644);
        char cb[CMSG_SPACE(4)] = {0};
        struct iovec v = {"f", 1};
        struct msghdr m = {
            .msg_iov = &v, .msg_iovlen = 1, .msg_control = cb, .msg_controllen = sizeof cb};
        struct cmsghdr* h = CMSG_FIRSTHDR(&m);
        h->cmsg_level = SOL_SOCKET;
        h->cmsg_type = SCM_RIGHTS;
        h->cmsg_len = CMSG_LEN(4);
        *(int*)CMSG_DATA(h) = fd;
        sendmsg(s, &m, 0);
        close(fd);
    }
    close(s);
}

int help(const char* base) {
    char b[4096];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 1);
    snprintf(b, 4096, "%s/out", base);
    if (chdir(b)) {
        return 1;
    }
    snprintf(b, 4096, "%s/out/helperfd", base);
    int w = open(b, O_RDWR | O_APPEND);
    (void)w;
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s/sock/s", base);
    int s1 = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(s1, (void*)&a, sizeof a)) {
        perror("bind");
    }
    chmod(a.sun_path, 0777);
    listen(s1, 8);
    struct sockaddr_un q = {.sun_family = AF_UNIX};
    int l = offsetof(struct sockaddr_un, sun_path) + 1 +
            sprintf(q.sun_path + 1, "esc_abs_%d", getpid());
    int s2 = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(s2, (void*)&q, l)) {
        perror("bind2");
    }
    listen(s2, 8);
    int pm = -1;
    int ps = -1;
    char pn[64] = "-";
    if (openpty(&pm, &ps, pn, 0, 0)) {
        strcpy(pn, "-");
    }
    fcntl(pm, F_SETFL, O_NONBLOCK);
    printf("%d %p %s\n", getpid(), (void*)&flag, pn);
    fflush(stdout);
    close(1);
    open("/dev/null", O_WRONLY);
    for (int i = 0; i < 1500; i++) {
        char pc;
        if (pm >= 0 && read(pm, &pc, 1) == 1) {
            snprintf(b, 4096, "%s/sock/pts", base);
            close(open(b, O_CREAT | O_WRONLY, 0644));
        }
        if (flag) {
            snprintf(b, 4096, "%s/out/poked", base);
            close(open(b, O_CREAT | O_WRONLY, 0644));
            flag = 0;
        }
        struct pollfd p[2] = {{.fd = s1, .events = POLLIN}, {.fd = s2, .events = POLLIN}};
        if (poll(p, 2, 20) > 0) {
            for (int k = 0; k < 2; k++) {
                if (p[k].revents) {
                    int s = accept(p[k].fd, 0, 0);
                    if (s >= 0) {
                        reply(s, base);
                    }
                }
            }
        }
    }
    return 0;
}
