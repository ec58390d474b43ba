#include "probe.h"

#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/un.h>

static void p_create(void) {
    write_to(outside("/new"), O_CREAT | O_WRONLY);
}

static void p_create_excl(void) {
    write_to(outside("/new2"), O_CREAT | O_EXCL | O_RDWR);
}

static void p_openat2(void) {
    struct open_how h = {.flags = O_CREAT | O_WRONLY, .mode = 0644};
    int fd = TRY(syscall(SYS_openat2, AT_FDCWD, outside("/new3"), &h, sizeof h));
    if (fd >= 0) {
        TRY(write(fd, "x", 1));
    }
}

static void p_creat(void) {
    int fd = TRY(creat(outside("/file"), 0644));
    (void)fd;
}

static void p_append(void) {
    write_to(outside("/file"), O_WRONLY | O_APPEND);
}

static void p_trunc_open(void) {
    TRY(open(outside("/file"), O_WRONLY | O_TRUNC));
}

static void p_trunc_rd(void) {
    TRY(open(outside("/file"), O_RDONLY | O_TRUNC));
}

static void p_truncate(void) {
    TRY(truncate(outside("/file"), 0));
}

static void p_truncate_grow(void) {
    TRY(truncate(outside("/file"), 4096));
}

static void p_overwrite(void) {
    write_to(outside("/file"), O_RDWR);
}

static void p_unlink(void) {
    TRY(unlink(outside("/file")));
}

static void p_unlink_sym(void) {
    TRY(unlink(outside("/link")));
}

static void p_rename(void) {
    TRY(rename(outside("/file"), outside("/file.ren")));
}

static void p_rename_over(void) {
    TRY(rename(outside("/file2"), outside("/file")));
}

static void p_rename_out_ws(void) {
    TRY(rename(outside("/file"), inside("/stolen")));
}

static void p_rename_ws_out(void) {
    write_to(inside("/mine"), O_CREAT | O_WRONLY);
    TRY(rename(inside("/mine"), outside("/from_ws")));
}

static void p_exchange(void) {
    TRY(syscall(SYS_renameat2, AT_FDCWD, outside("/file"), AT_FDCWD, outside("/file2"), 2));
}

static void p_link(void) {
    TRY(link(outside("/file"), outside("/hl")));
}

static void p_link_ws_out(void) {
    write_to(inside("/mine"), O_CREAT | O_WRONLY);
    TRY(link(inside("/mine"), outside("/hl_ws")));
}

static void p_link_in_write(void) {
    if (TRY(link(outside("/file"), inside("/hl"))) == 0) {
        write_to(inside("/hl"), O_WRONLY | O_APPEND);
    }
}

static void p_symlink(void) {
    TRY(symlink("/etc/passwd", outside("/sl")));
}

static void p_mkdir(void) {
    TRY(mkdir(outside("/d2"), 0755));
}

static void p_rmdir(void) {
    TRY(rmdir(outside("/empty")));
}

static void p_mkfifo(void) {
    TRY(mkfifo(outside("/ff"), 0644));
}

static void p_mknod_reg(void) {
    TRY(mknod(outside("/nr"), S_IFREG | 0644, 0));
}

static void p_mknod_chr(void) {
    TRY(mknod(outside("/nc"), S_IFCHR | 0644, makedev(1, 3)));
}

static void p_mknod_blk(void) {
    TRY(mknod(outside("/nb"), S_IFBLK | 0644, makedev(7, loop_number)));
}

static void p_bind_sock(void) {
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s/so", outside_root);
    TRY(bind(s, (void*)&a, sizeof a));
}

static void p_tmpfile(void) {
    int fd = TRY(open(outside_root, O_TMPFILE | O_RDWR, 0644));
    if (fd < 0) {
        return;
    }
    write(fd, "x", 1);
    char b[64];
    sprintf(b, "/proc/self/fd/%d", fd);
    TRY(linkat(AT_FDCWD, b, AT_FDCWD, outside("/tmpf"), AT_SYMLINK_FOLLOW));
}

static void p_ftruncate(void) {
    int fd = TRY(open(outside("/file"), O_RDWR));
    if (fd >= 0) {
        TRY(ftruncate(fd, 1));
    }
}

static void p_fallocate(void) {
    int fd = TRY(open(outside("/big"), O_RDWR));
    if (fd >= 0) {
        TRY(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
    }
}

static void p_copy_range(void) {
    int in = open("/etc/passwd", O_RDONLY);
    int fd = TRY(open(outside("/file"), O_WRONLY));
    if (fd >= 0) {
        TRY(copy_file_range(in, NULL, fd, NULL, 16, 0));
    }
}

static void p_sendfile(void) {
    int in = open("/etc/passwd", O_RDONLY);
    int fd = TRY(open(outside("/file"), O_WRONLY));
    if (fd >= 0) {
        TRY(sendfile(fd, in, NULL, 16));
    }
}

static void p_mmap_shared(void) {
    int fd = TRY(open(outside("/file"), O_RDWR));
    if (fd < 0) {
        return;
    }
    char* m = mmap(0, 9, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED) {
        note_error("mmap");
        return;
    }
    memcpy(m, "MMAP", 4);
    msync(m, 9, MS_SYNC);
}

static void p_pwritev2(void) {
    int fd = TRY(open(outside("/file"), O_WRONLY));
    struct iovec v = {"v2", 2};
    if (fd >= 0) {
        TRY(pwritev2(fd, &v, 1, 0, RWF_SYNC));
    }
}

const struct probe direct_probes[] = {
    PROBE(create, "direct", 'F', "b", "b", "-"),
    PROBE(create_excl, "direct", 'F', "b", "b", "-"),
    PROBE(openat2, "direct", 'F', "b", "b", "-"),
    PROBE(creat, "direct", 'F', "b", "b", "-"),
    PROBE(append, "direct", 'F', "b", "b", "-"),
    PROBE(trunc_open, "direct", 'F', "b", "b", "-"),
    PROBE(trunc_rd, "direct", 'F', "b", "b", "-"),
    PROBE(truncate, "direct", 'F', "b", "b", "-"),
    PROBE(truncate_grow, "direct", 'F', "b", "b", "-"),
    PROBE(overwrite, "direct", 'F', "b", "b", "-"),
    PROBE(unlink, "direct", 'F', "b", "b", "-"),
    PROBE(unlink_sym, "direct", 'F', "b", "b", "-"),
    PROBE(rename, "direct", 'F', "b", "b", "-"),
    PROBE(rename_over, "direct", 'F', "b", "b", "-"),
    PROBE(rename_out_ws, "direct", 'F', "b", "b", "-"),
    PROBE(rename_ws_out, "direct", 'F', "b", "b", "-"),
    PROBE(exchange, "direct", 'F', "b", "b", "-"),
    PROBE(link, "direct", 'F', "b", "b", "-"),
    PROBE(link_ws_out, "direct", 'F', "b", "b", "-"),
    PROBE(link_in_write, "direct", 'F', "b", "b", "-"),
    PROBE(symlink, "direct", 'F', "b", "b", "-"),
    PROBE(mkdir, "direct", 'F', "b", "b", "-"),
    PROBE(rmdir, "direct", 'F', "b", "b", "-"),
    PROBE(mkfifo, "direct", 'F', "b", "b", "-"),
    PROBE(mknod_reg, "direct", 'F', "b", "b", "-"),
    PROBE(mknod_chr, "direct", 'F', "b", "b", "-"),
    PROBE(mknod_blk, "direct", 'F', "b", "b", "-"),
    PROBE(bind_sock, "direct", 'F', "b", "b", "-"),
    PROBE(tmpfile, "direct", 'F', "b", "b", "-"),
    PROBE(ftruncate, "direct", 'F', "b", "b", "-"),
    PROBE(fallocate, "direct", 'F', "b", "b", "-"),
    PROBE(copy_range, "direct", 'F', "b", "b", "-"),
    PROBE(sendfile, "direct", 'F', "b", "b", "-"),
    PROBE(mmap_shared, "direct", 'F', "b", "b", "-"),
    PROBE(pwritev2, "direct", 'F', "b", "b", "-"),
    {0},
};
