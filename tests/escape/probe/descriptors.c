#include "probe.h"

#include <time.h>

static void p_inh_w(void) {
    TRY(write(9, "INH\n", 4));
    TRY(ftruncate(9, 2));
}

static void p_inh_ro_reopen(void) {
    write_to("/proc/self/fd/8", O_WRONLY | O_APPEND);
}

static void p_inh_dirfd(void) {
    int fd = TRY(openat(7, "dirfd_new", O_CREAT | O_WRONLY, 0644));
    (void)fd;
    TRY(unlinkat(7, "file2", 0));
}

static void p_inh_chmod(void) {
    TRY(fchmod(8, 0640));
}

static void p_stdin_reopen(void) {
    write_to("/proc/self/fd/0", O_WRONLY | O_APPEND);
    write_to("/dev/stdin", O_WRONLY | O_APPEND);
}

static void p_stdin_chmod(void) {
    TRY(fchmod(0, 0640));
    struct timespec t[2] = {{986000003, 0}, {986000003, 0}};
    TRY(futimens(0, t));
}

/* Descriptor 0 is the forbidden folder itself. */
static void p_stdin_dir(void) {
    int fd = TRY(openat(0, "stdin_dir_new", O_CREAT | O_WRONLY, 0644));
    if (fd >= 0) {
        close(fd);
    }
    TRY(unlinkat(0, "file2", 0));
    write_to("/proc/self/fd/0/stdin_dir_link", O_CREAT | O_WRONLY);
}

/* From an inherited folder into it and above it, without a path. */
static void p_inh_fchdir(void) {
    if (TRY(fchdir(7)) == 0) {
        write_to("inh_fchdir", O_CREAT | O_WRONLY);
        write_to("../inh_fchdir_up", O_CREAT | O_WRONLY);
    }
}

const struct probe descriptors_probes[] = {
    PROBE(inh_w, "fd", 'F', "b", "b", "i"),
    PROBE(inh_ro_reopen, "fd", 'F', "b", "b", "i"),
    PROBE(inh_dirfd, "fd", 'F', "b", "b", "i"),
    PROBE(inh_chmod, "fd", 'F', "b", "b", "i"),
    PROBE(stdin_reopen, "fd", 'F', "b", "b", "s"),
    PROBE(stdin_chmod, "fd", 'F', "b", "b", "s"),
    PROBE(stdin_dir, "fd", 'F', "b", "b", "S"),
    PROBE(inh_fchdir, "fd", 'F', "b", "b", "i"),
    {0},
};
