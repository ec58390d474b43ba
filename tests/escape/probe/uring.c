#include "probe.h"

#include <linux/io_uring.h>
#include <sys/mman.h>

static int ring = -1;
static unsigned *sqtail, *sqmask, *sqarr, *cqhead, *cqtail, *cqmask;
static struct io_uring_sqe* sqes;
static struct io_uring_cqe* cqes;

static int uring_init(void) {
    struct io_uring_params p = {0};
    ring = syscall(SYS_io_uring_setup, 4, &p);
    if (ring < 0) {
        note_error("io_uring_setup");
        return -1;
    }
    char* s = mmap(
        0,
        p.sq_off.array + p.sq_entries * 4,
        PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_POPULATE,
        ring,
        IORING_OFF_SQ_RING
    );
    char* c = mmap(
        0,
        p.cq_off.cqes + p.cq_entries * sizeof *cqes,
        PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_POPULATE,
        ring,
        IORING_OFF_CQ_RING
    );
    sqes = mmap(
        0,
        p.sq_entries * sizeof *sqes,
        PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_POPULATE,
        ring,
        IORING_OFF_SQES
    );
    sqtail = (void*)(s + p.sq_off.tail);
    sqmask = (void*)(s + p.sq_off.ring_mask);
    sqarr = (void*)(s + p.sq_off.array);
    cqhead = (void*)(c + p.cq_off.head);
    cqtail = (void*)(c + p.cq_off.tail);
    cqmask = (void*)(c + p.cq_off.ring_mask);
    cqes = (void*)(c + p.cq_off.cqes);
    return 0;
}

static int uring(int op, int fd, uint64_t addr, uint32_t len, uint64_t off, uint32_t fl) {
    if (ring < 0 && uring_init()) {
        return -1;
    }
    unsigned t = *sqtail;
    struct io_uring_sqe* q = &sqes[t & *sqmask];
    memset(q, 0, sizeof *q);
    q->opcode = op;
    q->fd = fd;
    q->addr = addr;
    q->len = len;
    q->off = off;
    q->open_flags = fl;
    sqarr[t & *sqmask] = t & *sqmask;
    __atomic_store_n(sqtail, t + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, 1, NULL, 0) < 0) {
        note_error("io_uring_enter");
        return -1;
    }
    int r = cqes[*cqhead & *cqmask].res;
    __atomic_store_n(cqhead, *cqhead + 1, __ATOMIC_RELEASE);
    if (r < 0) {
        errno = -r;
        note_error("cqe");
    }
    return r;
}

#define as_u64(x) ((uint64_t)(uintptr_t)(x))

static void p_uring_open(void) {
    int fd = uring(IORING_OP_OPENAT, AT_FDCWD, as_u64(outside("/ur")), 0644, 0, O_CREAT | O_WRONLY);
    if (fd >= 0) {
        uring(IORING_OP_WRITE, fd, as_u64("uring"), 5, 0, 0);
    }
}

static void p_uring_unlink(void) {
    uring(IORING_OP_UNLINKAT, AT_FDCWD, as_u64(outside("/file")), 0, 0, 0);
}

static void p_uring_mkdir(void) {
    uring(IORING_OP_MKDIRAT, AT_FDCWD, as_u64(outside("/urd")), 0755, 0, 0);
    uring(IORING_OP_SYMLINKAT, AT_FDCWD, as_u64("/etc"), 0, as_u64(outside("/urs")), 0);
}

static void p_userfaultfd(void) {
    int fd = TRY(syscall(SYS_userfaultfd, O_CLOEXEC | 1));
    if (fd >= 0) {
        channel_open("userfaultfd");
    }
}

static void p_uring_avail(void) {
    if (!uring_init()) {
        channel_open("io_uring_setup works");
    }
}

static void p_uring_rename(void) {
    uring(
        IORING_OP_RENAMEAT,
        AT_FDCWD,
        as_u64(outside("/file")),
        (uint32_t)AT_FDCWD,
        as_u64(outside("/ring_ren")),
        0
    );
}

const struct probe uring_probes[] = {
    PROBE(uring_open, "uring", 'F', "b", "b", "-"),
    PROBE(uring_unlink, "uring", 'F', "b", "b", "-"),
    PROBE(uring_mkdir, "uring", 'F', "b", "b", "-"),
    PROBE(userfaultfd, "report", 'R', "b", "b", "-"),
    PROBE(uring_avail, "report", 'R', "b", "b", "-"),
    PROBE(uring_rename, "uring", 'F', "b", "b", "-"),
    {0},
};
