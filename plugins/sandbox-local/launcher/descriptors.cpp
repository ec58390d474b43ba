#include "descriptors.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

/// A hidden file larger than this is refused instead of filling the memory.
constexpr off_t kLargestCopy = off_t{256} << 20;

int open_null() {
    return ::open("/dev/null", O_RDWR | O_CLOEXEC);
}

/// The same file, found by its name in the view; below 0 where the name leads nowhere or elsewhere.
/// `how` is what the descriptor is to be open for.
int open_in_view(int fd, const struct stat& original, int how) {
    char magic_link[32];
    static_cast<void>(std::snprintf(magic_link, sizeof magic_link, "/proc/self/fd/%d", fd));
    char name[PATH_MAX];
    const ssize_t size = ::readlink(magic_link, name, sizeof name - 1);
    if (size <= 0) {
        return -1;
    }
    name[size] = '\0';
    const int found = ::open(name, how | O_CLOEXEC | O_NOCTTY);

    struct stat status {};

    if (found >= 0 && (::fstat(found, &status) != 0 || status.st_dev != original.st_dev ||
                       status.st_ino != original.st_ino)) {
        ::close(found);
        return -1;
    }
    return found;
}

/// The file's content in memory that cannot be written any more.
int copy_to_memory(int fd, const struct stat& original) {
    if (original.st_size > kLargestCopy) {
        errno = EFBIG;
        return -1;
    }
    const int memory = ::memfd_create("stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) {
        return -1;
    }
    off_t offset = 0;
    while (offset < original.st_size) {
        const auto rest = static_cast<std::size_t>(original.st_size - offset);
        const ssize_t sent = ::sendfile(memory, fd, &offset, rest);
        if (sent < 0) {
            ::close(memory);
            return -1;
        }
        if (sent == 0) {
            break;  // became shorter meanwhile
        }
    }
    constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (::fcntl(memory, F_ADD_SEALS, kSeals) != 0) {
        ::close(memory);
        return -1;
    }
    return memory;
}

/// The view's own node of a device that everybody may use. The host's node must not stay: its mount
/// is writable, so its owner and mode could be changed through it. Other devices, which are
/// terminals, stay as the caller gave them.
int replace_device(int fd, const struct stat& original, int flags) {
    constexpr const char* kNodes[] = {
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (const char* node : kNodes) {
        struct stat status {};

        if (::stat(node, &status) == 0 && S_ISCHR(status.st_mode) &&
            status.st_rdev == original.st_rdev) {
            return ::open(node, (flags & O_ACCMODE) | O_CLOEXEC);
        }
    }
    return fd;
}

/// A FIFO that has a name has an owner and a mode as well; a pipe has none that count.
int replace_fifo(int fd, const struct stat& original, int flags) {
    constexpr long kPipeFileSystem = 0x50495045;  // PIPEFS_MAGIC, linux/magic.h

    struct statfs system {};

    if (::fstatfs(fd, &system) != 0 || system.f_type == kPipeFileSystem) {
        return fd;
    }
    // Without O_NONBLOCK the open would wait for the other side to open once more.
    const int found = open_in_view(fd, original, (flags & O_ACCMODE) | O_NONBLOCK);
    if (found < 0) {
        errno = EPERM;
        return -1;
    }
    return ::fcntl(found, F_SETFL, flags & O_NONBLOCK) == 0 ? found : -1;
}

/// What is to stand in place of `fd`; `fd` itself where it may stay; below 0 with errno.
int replacement(int fd) {
    struct stat status {};

    if (::fstat(fd, &status) != 0) {
        return errno == EBADF ? open_null() : -1;
    }
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0) {
        return -1;
    }
    if ((flags & O_PATH) != 0) {
        return open_null();
    }
    if (S_ISCHR(status.st_mode)) {
        return replace_device(fd, status, flags);
    }
    if (S_ISFIFO(status.st_mode)) {
        return replace_fifo(fd, status, flags);
    }
    if (S_ISBLK(status.st_mode)) {
        errno = EPERM;
        return -1;
    }
    const bool is_file = S_ISREG(status.st_mode);
    if ((!is_file && !S_ISDIR(status.st_mode)) || (flags & O_ACCMODE) != O_RDONLY) {
        return fd;
    }
    int found = open_in_view(fd, status, O_RDONLY | (flags & O_NONBLOCK));
    if (found < 0) {
        found = is_file ? copy_to_memory(fd, status) : open_null();
    }
    if (found >= 0 && is_file) {
        const off_t position = ::lseek(fd, 0, SEEK_CUR);
        ::lseek(found, position, SEEK_SET);
    }
    return found;
}

Outcome secure(int fd) {
    const int standing_in = replacement(fd);
    if (standing_in < 0) {
        return failure("stdio");
    }
    // A stand-in for a closed stream can be that stream already, but then with CLOEXEC.
    if (standing_in == fd) {
        return ::fcntl(fd, F_SETFD, 0) == 0 ? kDone : failure("stdio");
    }
    if (::dup2(standing_in, fd) < 0) {
        return failure("stdio");
    }
    ::close(standing_in);
    return kDone;
}

}  // namespace

Outcome secure_standard_streams() {
    Outcome outcome = kDone;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && !outcome.failed(); ++fd) {
        outcome = secure(fd);
    }
    return outcome;
}

Outcome close_others(int keep) {
    constexpr unsigned kAll = ~0U;
    const unsigned first = STDERR_FILENO + 1;
    long result = 0;
    if (keep < 0) {
        result = ::syscall(SYS_close_range, first, kAll, 0);
    } else {
        const auto kept = static_cast<unsigned>(keep);
        if (kept > first) {
            result = ::syscall(SYS_close_range, first, kept - 1, 0);
        }
        if (result == 0) {
            result = ::syscall(SYS_close_range, kept + 1, kAll, 0);
        }
    }
    return result == 0 ? kDone : failure("descriptors");
}

}  // namespace cordon::launch
