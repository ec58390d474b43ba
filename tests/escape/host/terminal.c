#include "host.h"

#include <pty.h>

int run_on_terminal(const char* out, char** cmd) {
    int m;
    pid_t c = forkpty(&m, 0, 0, 0);
    if (!c) {
        signal(SIGTTOU, SIG_IGN);
        pid_t k = fork();
        if (!k) {
            execvp(cmd[0], cmd);
            perror(cmd[0]);
            _exit(127);
        }
        int st;
        waitpid(k, &st, 0);
        char b[256];
        struct termios t;
        tcgetattr(0, &t);
        t.c_lflag &= ~(ICANON | ECHO);
        t.c_cc[VMIN] = 0;
        t.c_cc[VTIME] = 1;
        tcsetattr(0, TCSANOW, &t);
        int n = read(0, b, 255);
        if (n > 0) {
            b[n] = 0;
            printf("INJECTED %d bytes\n", n);
            char p[4096];
            snprintf(p, 4096, "%s/tty_injected", out);
            close(open(p, O_CREAT | O_WRONLY, 0644));
        }
        fflush(stdout);
        _exit(WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st));
    }
    char b[4096];
    int n;
    while ((n = read(m, b, 4096)) > 0) {
        if (write(1, b, n) < 0) {
            break;
        }
    }
    int st;
    waitpid(c, &st, 0);
    return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}
