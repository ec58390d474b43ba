// What every family of probes uses. A probe tries one forbidden thing and reports little itself:
// the harness looks from outside whether anything changed.
#ifndef CORDON_ESCAPE_PROBE_H
#define CORDON_ESCAPE_PROBE_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/// One probe. `kind`: 'F' the harness compares the state of the host; 'S' also, and the probe may
/// say that something forbidden could be opened; 'R' report only, never counted. `modes`: b, ro or
/// ww. `users`: b, root or user. `flags`: what the harness prepares, see run.sh; "-" nothing.
struct probe {
    const char* name;
    const char* category;
    char kind;
    const char* modes;
    const char* users;
    const char* flags;
    void (*run)(void);
};

#define PROBE(name, category, kind, modes, users, flags) \
    { #name, category, kind, modes, users, flags, p_##name }

// The fixture: a folder that must not change, the workspace, `ro` or `ww`, a name for marks in
// shared places, the folder around all of it.
extern const char* outside_root;
extern const char* workspace;
extern const char* mode;
extern const char* mark;
extern const char* base;
// Processes of the host: one with sockets and an open descriptor, one to be killed.
extern int helper_pid;
extern int victim_pid;
// A word in the helper's memory.
extern unsigned long flag_address;
// A loop device to be overwritten.
extern int loop_number;
// This program and its arguments.
extern char* self;
extern char** self_arguments;

int may_write_workspace(void);

// Paths, allocated and never freed: a probe ends with its process.
char* joined(const char* left, const char* right);
#define outside(path) joined(outside_root, path)
#define inside(path) joined(workspace, path)
#define at_mount_point(path) joined(joined(base, "/mp"), path)

void note_error(const char* what);
/// Something forbidden could be opened.
void escaped(const char* what);
/// A channel that is reported and not counted is open.
void channel_open(const char* what);

/// The value of a call; its error is noted.
#define TRY(call)                    \
    ({                               \
        errno = 0;                   \
        long result_ = (long)(call); \
        if (result_ < 0) {           \
            note_error(#call);       \
        }                            \
        result_;                     \
    })

int write_to(const char* path, int flags);
/// A path that can be written in this mode, if there is one.
int scratch(char* buffer, const char* name);
/// Unshares, and maps the user to root where `flags` has a user namespace.
int enter_user_namespace(int flags);
void make_mounts_private(void);

#endif
