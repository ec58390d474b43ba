#include "view.hpp"

#include "kernel.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>

namespace cordon::launch {
namespace {

using kernel::MountAttributes;

constexpr const char* kNodes[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
constexpr std::size_t kNodeCount = sizeof kNodes / sizeof *kNodes;

constexpr std::uint64_t kHarmless = kernel::kMountNoSetUid | kernel::kMountNoDevices;

Outcome wrong(long result, const char* subject) {
    return failure("view", result, subject);
}

long open_exactly(const char* path) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    // The path was canonical when the view was planned, and must not lead anywhere else now.
    how.resolve = RESOLVE_NO_SYMLINKS;
    return sys::call(kernel::kOpenat2, AT_FDCWD, path, &how, sizeof how);
}

/// A detached copy of what is mounted at `fd` and below.
long copy_tree(int fd, std::uint64_t set, unsigned recursive) {
    const long tree = sys::call(
        kernel::kOpenTree, fd, "", AT_EMPTY_PATH | kernel::kOpenTreeClone | O_CLOEXEC | recursive
    );
    if (tree < 0) {
        return tree;
    }
    MountAttributes attributes{};
    attributes.set = set;
    attributes.propagation = kernel::kPropagatePrivate;
    const long result = sys::call(
        kernel::kMountSetAttribute,
        tree,
        "",
        AT_EMPTY_PATH | recursive,
        &attributes,
        sizeof attributes
    );
    if (result < 0) {
        sys::close(static_cast<int>(tree));
        return result;
    }
    return tree;
}

long copy_exactly(const char* path, std::uint64_t set) {
    const long fd = open_exactly(path);
    if (fd < 0) {
        return fd;
    }
    const long tree = copy_tree(static_cast<int>(fd), set, kernel::kRecursive);
    sys::close(static_cast<int>(fd));
    return tree;
}

/// Puts a detached tree on `path` and closes it.
long attach(long tree, const char* path) {
    const long target = open_exactly(path);
    long result = target;
    if (target >= 0) {
        result = sys::call(
            kernel::kMoveMount,
            tree,
            "",
            target,
            "",
            kernel::kMoveFromEmptyPath | kernel::kMoveToEmptyPath
        );
        sys::close(static_cast<int>(target));
    }
    sys::close(static_cast<int>(tree));
    return result;
}

/// The directories above `path`, where a private folder has hidden them; and, with `as_file`, an
/// empty file to put another on.
void make_place(const char* path, bool as_file) {
    char part[PATH_MAX];
    std::size_t size = 0;
    for (; path[size] != '\0' && size + 1 < sizeof part; ++size) {
        if (path[size] == '/' && size > 0) {
            part[size] = '\0';
            sys::try_call(__NR_mkdirat, AT_FDCWD, part, 0755);
        }
        part[size] = path[size];
    }
    if (as_file) {
        const long file =
            sys::call(__NR_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (file >= 0) {
            sys::close(static_cast<int>(file));
        }
    } else {
        sys::try_call(__NR_mkdirat, AT_FDCWD, path, 0755);
    }
}

template <std::size_t Capacity>
struct Copies {
    long trees[Capacity];

    Outcome take(const PathList<Capacity>& list, std::uint64_t set) {
        for (std::size_t i = 0; i < list.count; ++i) {
            trees[i] = copy_exactly(list.paths[i], set);
            if (trees[i] < 0) {
                return wrong(trees[i], list.paths[i]);
            }
        }
        return kDone;
    }

    Outcome put(const PathList<Capacity>& list, bool are_files) {
        for (std::size_t i = 0; i < list.count; ++i) {
            const long found = open_exactly(list.paths[i]);
            if (found >= 0) {
                sys::close(static_cast<int>(found));
            } else {
                make_place(list.paths[i], are_files);
            }
            if (const long result = attach(trees[i], list.paths[i]); result < 0) {
                return wrong(result, list.paths[i]);
            }
        }
        return kDone;
    }
};

/// Copies of the device nodes; a node that is not there is left out.
struct DeviceCopies {
    long trees[kNodeCount];

    void take() {
        for (std::size_t i = 0; i < kNodeCount; ++i) {
            trees[i] =
                sys::call(__NR_openat, AT_FDCWD, kNodes[i], O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
            if (trees[i] < 0) {
                continue;
            }
            const auto fd = static_cast<int>(trees[i]);

            struct stat status {};

            const bool is_device =
                sys::call(__NR_fstat, fd, &status) == 0 && S_ISCHR(status.st_mode);
            constexpr std::uint64_t kNode = kernel::kMountReadOnly | kernel::kMountNoExecute;
            trees[i] = is_device ? copy_tree(fd, kNode, 0) : -ENOENT;
            sys::close(fd);
        }
    }

    Outcome put() {
        for (std::size_t i = 0; i < kNodeCount; ++i) {
            if (trees[i] < 0) {
                continue;
            }
            if (const long result = attach(trees[i], kNodes[i]); result < 0) {
                return wrong(result, kNodes[i]);
            }
        }
        return kDone;
    }
};

Outcome freeze_host() {
    MountAttributes attributes{};
    attributes.set = kernel::kMountReadOnly | kernel::kMountNoDevices;
    attributes.propagation = kernel::kPropagatePrivate;
    const long result = sys::call(
        kernel::kMountSetAttribute,
        AT_FDCWD,
        "/",
        kernel::kRecursive,
        &attributes,
        sizeof attributes
    );
    return result < 0 ? wrong(result, "/") : kDone;
}

Outcome mount_new(const char* type, const char* path, unsigned long flags, const char* data) {
    const long result = sys::call(__NR_mount, type, path, type, flags, data);
    return result < 0 ? wrong(result, path) : kDone;
}

/// Terminals of our own. A node /dev/ptmx finds its instance only on the host's own /dev, so that
/// of the new instance stands in for it; a link leads there anyway.
Outcome renew_terminals() {
    constexpr const char* kMaker = "/dev/ptmx";
    constexpr const char* kOptions = "newinstance,ptmxmode=0666,mode=620";
    const Outcome outcome = mount_new("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, kOptions);
    if (outcome.failed()) {
        return outcome.error == ENOENT ? kDone : outcome;
    }

    struct stat status {};

    const long result = sys::call(__NR_newfstatat, AT_FDCWD, kMaker, &status, AT_SYMLINK_NOFOLLOW);
    if (result < 0 || !S_ISCHR(status.st_mode)) {
        return kDone;
    }
    const long tree = copy_exactly("/dev/pts/ptmx", kernel::kMountNoExecute);
    const long attached = tree < 0 ? tree : attach(tree, kMaker);
    return attached < 0 ? wrong(attached, kMaker) : kDone;
}

Outcome add_private_folders(const Options& options, long temporary_tree) {
    for (std::size_t i = 0; i < options.private_folders.count; ++i) {
        const char* const path = options.private_folders.paths[i];
        if (i == 0 && temporary_tree >= 0) {
            if (const long result = attach(temporary_tree, path); result < 0) {
                return wrong(result, path);
            }
            continue;
        }
        const Outcome outcome = mount_new("tmpfs", path, MS_NOSUID | MS_NODEV, "mode=1777");
        if (outcome.failed()) {
            return outcome;
        }
    }
    return kDone;
}

}  // namespace

Outcome build_view(const Options& options) {
    Copies<kMaxWritableRoots> writable;
    Copies<kMaxOtherPaths> read_only;
    Copies<kMaxOtherPaths> kept;
    DeviceCopies devices;
    long temporary = -1;
    if (options.temporary_source != nullptr) {
        temporary = copy_exactly(options.temporary_source, kHarmless);
        if (temporary < 0) {
            return wrong(temporary, options.temporary_source);
        }
    }
    devices.take();
    Outcome outcome = writable.take(options.writable, kHarmless);
    if (!outcome.failed()) {
        outcome = read_only.take(options.read_only, kHarmless | kernel::kMountReadOnly);
    }
    if (!outcome.failed()) {
        outcome = kept.take(options.kept, kHarmless | kernel::kMountReadOnly);
    }
    if (!outcome.failed()) {
        outcome = freeze_host();
    }
    if (!outcome.failed()) {
        outcome = devices.put();
    }
    if (!outcome.failed()) {
        outcome = renew_terminals();
    }
    if (!outcome.failed() && options.process_namespace) {
        constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
        outcome = mount_new("proc", "/proc", kFlags, nullptr);
    }
    if (!outcome.failed()) {
        outcome = add_private_folders(options, temporary);
    }
    if (!outcome.failed()) {
        outcome = writable.put(options.writable, false);
    }
    if (!outcome.failed()) {
        outcome = read_only.put(options.read_only, false);
    }
    return outcome.failed() ? outcome : kept.put(options.kept, true);
}

}  // namespace cordon::launch
