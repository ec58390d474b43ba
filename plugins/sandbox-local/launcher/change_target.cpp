// Nothing here is looked up twice through names that the command can change: the file is pinned
// first, and what is changed in the end is a descriptor that the kernel itself resolved beneath a
// root. A file outside cannot come to lie beneath one meanwhile, because Landlock denies moving and
// linking it there; one inside may move, but stays inside.

#include "change_target.hpp"

#include "kernel.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>
#include <initializer_list>

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <sys/stat.h>

namespace cordon::launch {
namespace {

long open_how_at(int directory, const char* path, std::uint64_t flags, std::uint64_t resolve) {
    open_how how{};
    how.flags = flags | O_PATH | O_CLOEXEC;
    how.resolve = resolve;
    return sys::call(kernel::kOpenat2, directory, path, &how, sizeof how);
}

/// The N of `/proc/self/fd/N` and `/dev/fd/N`; below 0 for everything else.
int descriptor_named(const char* path) {
    for (const char* folder : {"/proc/self/fd/", "/dev/fd/"}) {
        if (!begins(path, folder)) {
            continue;
        }
        int number = 0;
        const char* digit = path + length(folder);
        if (*digit == '\0') {
            return -1;
        }
        for (; *digit >= '0' && *digit <= '9' && number < 1'000'000; ++digit) {
            number = number * 10 + (*digit - '0');
        }
        return *digit == '\0' ? number : -1;
    }
    return -1;
}

long open_base(const Requester& requester, int directory, const char* path) {
    if (*path == '/') {
        return requester.root();
    }
    return directory == AT_FDCWD ? requester.workdir() : requester.descriptor(directory);
}

/// A descriptor of the file that the path means now.
long pin_path(const Requester& requester, int directory, const char* path, int flags, bool link) {
    if (*path == '\0') {
        if ((flags & AT_EMPTY_PATH) == 0) {
            return -ENOENT;
        }
        return open_base(requester, directory, "");
    }
    if (const int number = link ? -1 : descriptor_named(path); number >= 0) {
        return requester.descriptor(number);
    }
    const long base = open_base(requester, directory, path);
    if (base < 0) {
        return base;
    }
    // Other links of /proc lead anywhere, and past the command's root.
    const std::uint64_t resolve = RESOLVE_NO_MAGICLINKS | (*path == '/' ? RESOLVE_IN_ROOT : 0);
    const long pin = open_how_at(static_cast<int>(base), path, link ? O_NOFOLLOW : 0, resolve);
    sys::close(static_cast<int>(base));
    return pin == -ELOOP ? -EACCES : pin;
}

long pin_target(
    const Requester& requester, const MetadataCall& call, const std::uint64_t* arguments
) {
    const auto argument = [&](int position) {
        return position < 0 ? 0 : arguments[position];
    };
    const int directory =
        call.descriptor < 0 ? AT_FDCWD : static_cast<int>(argument(call.descriptor));
    // futimens and its like: no path means the descriptor itself.
    if (call.path < 0 || (argument(call.path) == 0 && call.change >= Change::times_timeval &&
                          call.change <= Change::times_timespec)) {
        return requester.descriptor(directory);
    }
    char path[PATH_MAX];
    const long result = requester.read_text(path, sizeof path, argument(call.path));
    if (result < 0) {
        return result;
    }
    const auto flags = static_cast<int>(argument(call.flags));
    const bool link = call.keeps_link || (flags & AT_SYMLINK_NOFOLLOW) != 0;
    return pin_path(requester, directory, path, flags, link);
}

bool is_same_file(int left, int right) {
    struct stat a {};

    struct stat b {};

    return sys::call(__NR_fstat, left, &a) == 0 && sys::call(__NR_fstat, right, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The part of `path` below `root`; null where it is not below.
const char* below(const char* path, const char* root) {
    if (!begins(path, root)) {
        return nullptr;
    }
    const char* rest = path + length(root);
    if (*rest == '\0') {
        return ".";
    }
    return *rest == '/' ? rest + 1 : nullptr;
}

/// -EAGAIN where the file moved meanwhile.
long prove(const RootDescriptors& roots, int pin, const char* path) {
    for (std::size_t i = 0; i < roots.count; ++i) {
        const char* const rest = below(path, roots.paths[i]);
        if (rest == nullptr) {
            continue;
        }
        constexpr std::uint64_t kBeneath =
            RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
        const long found = open_how_at(roots.descriptors[i], rest, O_NOFOLLOW, kBeneath);
        if (found >= 0 && is_same_file(pin, static_cast<int>(found))) {
            return found;
        }
        if (found >= 0) {
            sys::close(static_cast<int>(found));
        }
        return -EAGAIN;
    }
    return -EROFS;
}

/// Pipes, sockets and memory: a real path begins with `/`, and in `/` itself a command can create
/// nothing.
bool is_nowhere(const char* path) {
    return begins(path, "pipe:") || begins(path, "socket:") || begins(path, "/memfd:");
}

}  // namespace

Outcome RootDescriptors::open(const Options& options) {
    for (const char* root : options.writable) {
        const long fd = open_how_at(AT_FDCWD, root, O_DIRECTORY, RESOLVE_NO_SYMLINKS);
        if (fd < 0) {
            return failure("supervisor", fd, root);
        }
        paths[count] = root;
        descriptors[count++] = static_cast<int>(fd);
    }
    return kDone;
}

long find_target(
    const RootDescriptors& roots,
    const Requester& requester,
    const MetadataCall& call,
    const std::uint64_t* arguments
) {
    const long pinned = pin_target(requester, call, arguments);
    if (pinned < 0) {
        return pinned;
    }
    const auto pin = static_cast<int>(pinned);
    Text<48> magic_link;
    magic_link << "/proc/self/fd/" << pin;
    constexpr int kTries = 8;
    long target = -EAGAIN;
    for (int i = 0; i < kTries && target == -EAGAIN; ++i) {
        char path[PATH_MAX];
        const long size =
            sys::call(__NR_readlinkat, AT_FDCWD, magic_link.c_str(), path, sizeof path - 1);
        if (size <= 0) {
            break;
        }
        path[size] = '\0';
        if (is_nowhere(path)) {
            return pin;
        }
        target = prove(roots, pin, path);
    }
    sys::close(pin);
    return target == -EAGAIN ? -EROFS : target;
}

}  // namespace cordon::launch
