#include "probe.h"

#include <sys/mman.h>

static void p_ws_symlink(void) {
    TRY(symlink(outside_root, inside("/sl")));
    write_to(inside("/sl/via_sl"), O_CREAT | O_WRONLY);
    write_to(inside("/presl/via_presl"), O_CREAT | O_WRONLY);
}

static void p_ws_dangling(void) {
    TRY(symlink(outside("/dangling"), inside("/dl")));
    write_to(inside("/dl"), O_CREAT | O_WRONLY);
}

static void p_dotdot(void) {
    write_to(inside("/../out/dd"), O_CREAT | O_WRONLY);
    TRY(chdir(workspace));
    write_to("../out/dd2", O_CREAT | O_WRONLY);
}

static void p_procroot(void) {
    write_to(joined("/proc/self/root", outside("/pr")), O_CREAT | O_WRONLY);
    write_to(joined("/proc/thread-self/root", outside("/pr2")), O_CREAT | O_WRONLY);
}

static void p_proccwd(void) {
    TRY(chdir(outside_root));
    write_to("/proc/self/cwd/pc", O_CREAT | O_WRONLY);
}

static void p_cwd_rel(void) {
    TRY(chdir(outside_root));
    write_to("rel", O_CREAT | O_WRONLY);
}

static void p_host_root(void) {
    char b[64];
    sprintf(b, "/proc/%d/root", helper_pid);
    write_to(joined(b, outside("/hr")), O_CREAT | O_WRONLY);
}

static void p_host_cwd(void) {
    char b[64];
    sprintf(b, "/proc/%d/cwd/hc", helper_pid);
    write_to(b, O_CREAT | O_WRONLY);
}

static void p_replace_dir(void) {
    TRY(rename(inside("/sub"), inside("/sub.old")));
    TRY(symlink(outside_root, inside("/sub")));
    write_to(inside("/sub/via_rep"), O_CREAT | O_WRONLY);
}

static void p_parent_create(void) {
    write_to(joined(base, "/parent_new"), O_CREAT | O_WRONLY);
    TRY(mkdir(joined(base, "/parent_dir"), 0755));
}

static void p_parent_rename_ws(void) {
    TRY(rename(workspace, joined(workspace, ".moved")));
}

static void p_parent_chmod(void) {
    TRY(chmod(base, 0777));
}

static void p_home(void) {
    write_to(joined(base, "/home/.profile_esc"), O_CREAT | O_WRONLY);
}

static void p_vartmp(void) {
    write_to(joined("/var/tmp/", mark), O_CREAT | O_WRONLY);
}

static void p_devshm(void) {
    write_to(joined("/dev/shm/", mark), O_CREAT | O_WRONLY);
    int fd = TRY(shm_open(mark, O_CREAT | O_RDWR, 0600));
    (void)fd;
}

static void p_tmp(void) {
    write_to(joined("/tmp/", mark), O_CREAT | O_WRONLY);
}

static void p_devnode_create(void) {
    TRY(mknod(joined("/dev/", mark), S_IFCHR | 0666, makedev(1, 3)));
    write_to(joined("/dev/", joined(mark, "r")), O_CREAT | O_WRONLY);
}

static void p_prelinked(void) {
    write_to(inside("/pre_hl"), O_WRONLY | O_APPEND);
}

/* The next call is given the folder that this one replaces by a link. */
static void p_root_swap(void) {
    TRY(rename(inside("/sub"), inside("/sub.swapped")));
    TRY(symlink("../out", inside("/sub")));
}

const struct probe path_probes[] = {
    PROBE(ws_symlink, "path", 'F', "b", "b", "-"),
    PROBE(ws_dangling, "path", 'F', "b", "b", "-"),
    PROBE(dotdot, "path", 'F', "b", "b", "-"),
    PROBE(procroot, "path", 'F', "b", "b", "-"),
    PROBE(proccwd, "path", 'F', "b", "b", "-"),
    PROBE(cwd_rel, "path", 'F', "b", "b", "-"),
    PROBE(host_root, "path", 'F', "b", "b", "h"),
    PROBE(host_cwd, "path", 'F', "b", "b", "h"),
    PROBE(replace_dir, "path", 'F', "b", "b", "-"),
    PROBE(parent_create, "path", 'F', "b", "b", "-"),
    PROBE(parent_rename_ws, "path", 'F', "b", "b", "-"),
    PROBE(parent_chmod, "path", 'F', "b", "b", "-"),
    PROBE(home, "path", 'F', "b", "b", "-"),
    PROBE(vartmp, "path", 'F', "b", "b", "-"),
    PROBE(devshm, "path", 'F', "b", "b", "-"),
    PROBE(tmp, "path", 'F', "ro", "b", "-"),
    PROBE(devnode_create, "path", 'F', "b", "root", "-"),
    PROBE(prelinked, "report", 'R', "ww", "b", "x"),
    PROBE(root_swap, "report", 'R', "ww", "b", "2"),
    {0},
};
