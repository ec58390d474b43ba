// Writes into a folder of root's. Installed set-uid and with file capabilities: run by a probe, it
// shows whether either still counts inside.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argument_count, char** arguments) {
    char path[4096];
    snprintf(path, sizeof path, "%s/mark", argument_count > 1 ? arguments[1] : ".");
    const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) {
        perror(path);
        return 1;
    }
    return write(fd, "suid\n", 5) != 5;
}
