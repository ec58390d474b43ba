#pragma once

// The system calls and ioctl requests that the filter refuses, by what they would do.

#include "kernel.hpp"

#include <cstddef>
#include <cstdint>

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace cordon::launch {

/// Change what an inode says about itself.
inline constexpr int kMetadataCalls[] = {
#ifdef SYS_chmod  // architectures after x86_64 have the `at` forms only
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    kernel::kFchmodat2,
    kernel::kSetXattrAt,
    kernel::kRemoveXattrAt,
    kernel::kFileSetAttribute,
};

/// What is asked through a ring is done without passing the filter.
inline constexpr int kUringCalls[] = {
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

/// Change the view, the host or other namespaces, or open doors around path checks.
inline constexpr int kPrivilegedCalls[] = {
    // The view.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    kernel::kOpenTree,
    kernel::kMoveMount,
    kernel::kFsOpen,
    kernel::kFsConfig,
    kernel::kFsMount,
    kernel::kFsPick,
    kernel::kMountSetAttribute,
    kernel::kOpenTreeAttribute,
    // Files without a path.
    SYS_open_by_handle_at,
    // The host as a whole.
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    kernel::kQuotactlFd,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_syslog,
    SYS_vhangup,
    // The kernel's code and its large interfaces.
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
    // Keys outlive the call and are shared by everything of the same user.
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
};

/// Refused or not by their arguments, whatever else is asked for.
inline constexpr int kExaminedCalls[] = {
#ifdef SYS_mknod
    SYS_mknod,
#endif
    SYS_mknodat,
    SYS_prlimit64,
    SYS_unshare,
    SYS_clone,
    SYS_ioctl,
};

/// Where a call that sets a file's mode has it.
struct ModeArgument {
    int number;
    std::size_t position;
};

inline constexpr ModeArgument kModeArguments[] = {
#ifdef SYS_chmod
    {SYS_chmod, 1},
    {SYS_creat, 1},
    {SYS_open, 2},
    {SYS_mknod, 1},
#endif
    {SYS_fchmod, 1},
    {SYS_fchmodat, 2},
    {kernel::kFchmodat2, 2},
    {SYS_openat, 3},
    {SYS_mknodat, 2},
};

/// Put characters into a terminal's input, or take over the console.
inline constexpr std::uint32_t kInjectingRequests[] = {TIOCSTI, TIOCLINUX, TIOCCONS};

/// `FS_IOC_FSSETXATTR`, `XFS_IOC_*`, file system version and flags, and everything of btrfs: the
/// second byte of a request names its family.
inline constexpr std::uint32_t kInodeRequestFamilies[] = {'f', 'X', 'v', 0x94};

/// Requests of those families that only read, or need a destination open for writing.
inline constexpr std::uint32_t kHarmlessInodeRequests[] = {
    FS_IOC_GETFLAGS,
    FS_IOC32_GETFLAGS,
    FS_IOC_FSGETXATTR,
    FS_IOC_GETVERSION,
    FS_IOC32_GETVERSION,
    FS_IOC_FIEMAP,
    FICLONE,
    FICLONERANGE,
    FIDEDUPERANGE,
};

}  // namespace cordon::launch
