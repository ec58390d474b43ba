#include "descriptors.hpp"

#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/memfd.h>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace cordon::launch {
namespace {

/// A hidden file larger than this is refused instead of filling the memory.
constexpr off_t kLargestCopy = off_t{256} << 20;

constexpr int kLastStandardStream = 2;

/// The descriptor, or a negative error number.
int open(const char* path, int flags) {
    return static_cast<int>(sys::call(__NR_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0));
}

int open_null() {
    return open("/dev/null", O_RDWR);
}

/// The same file, found by its name in the view; below 0 where the name leads nowhere or elsewhere.
/// `how` is what the descriptor is to be open for.
int open_in_view(int fd, const struct stat& original, int how) {
    Text<32> magic_link;
    magic_link << "/proc/self/fd/" << fd;
    char name[PATH_MAX];
    const long size =
        sys::call(__NR_readlinkat, AT_FDCWD, magic_link.c_str(), name, sizeof name - 1);
    if (size <= 0) {
        return -ENOENT;
    }
    name[size] = '\0';
    const int found = open(name, how | O_NOCTTY);

    struct stat status {};

    if (found >= 0 && (sys::call(__NR_fstat, found, &status) < 0 ||
                       status.st_dev != original.st_dev || status.st_ino != original.st_ino)) {
        sys::close(found);
        return -ENOENT;
    }
    return found;
}

/// Sends the file's content on; 0 or a negative error number.
long copy_content(int from, int to, off_t size) {
    off_t offset = 0;
    while (offset < size) {
        const long sent = sys::call(__NR_sendfile, to, from, &offset, size - offset);
        if (sent <= 0) {
            return sent;  // 0: became shorter meanwhile
        }
    }
    return 0;
}

/// The file's content in memory that cannot be written any more.
int copy_to_memory(int fd, const struct stat& original) {
    if (original.st_size > kLargestCopy) {
        return -EFBIG;
    }
    const int memory =
        static_cast<int>(sys::call(__NR_memfd_create, "stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (memory < 0) {
        return memory;
    }
    constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    long result = copy_content(fd, memory, original.st_size);
    if (result == 0) {
        result = sys::call(__NR_fcntl, memory, F_ADD_SEALS, kSeals);
    }
    if (result < 0) {
        sys::close(memory);
        return static_cast<int>(result);
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

        if (sys::call(__NR_newfstatat, AT_FDCWD, node, &status, 0) == 0 &&
            S_ISCHR(status.st_mode) && status.st_rdev == original.st_rdev) {
            return open(node, flags & O_ACCMODE);
        }
    }
    return fd;
}

/// A FIFO that has a name has an owner and a mode as well; a pipe has none that count.
int replace_fifo(int fd, const struct stat& original, int flags) {
    constexpr long kPipeFileSystem = 0x50495045;  // PIPEFS_MAGIC, linux/magic.h

    struct statfs system {};

    if (sys::call(__NR_fstatfs, fd, &system) < 0 || system.f_type == kPipeFileSystem) {
        return fd;
    }
    // Without O_NONBLOCK the open would wait for the other side to open once more.
    const int found = open_in_view(fd, original, (flags & O_ACCMODE) | O_NONBLOCK);
    if (found < 0) {
        return -EPERM;
    }
    const long result = sys::call(__NR_fcntl, found, F_SETFL, flags & O_NONBLOCK);
    return result < 0 ? static_cast<int>(result) : found;
}

/// A file or directory that was opened for reading.
int replace_readable(int fd, const struct stat& original, int flags) {
    const bool is_file = S_ISREG(original.st_mode);
    int found = open_in_view(fd, original, O_RDONLY | (flags & O_NONBLOCK));
    if (found < 0) {
        found = is_file ? copy_to_memory(fd, original) : open_null();
    }
    if (found >= 0 && is_file) {
        const long position = sys::call(__NR_lseek, fd, 0, SEEK_CUR);
        sys::try_call(__NR_lseek, found, position, SEEK_SET);
    }
    return found;
}

/// What is to stand in place of `fd`; `fd` itself where it may stay; or a negative error number.
int replacement(int fd) {
    struct stat status {};

    if (const long result = sys::call(__NR_fstat, fd, &status); result < 0) {
        return result == -EBADF ? open_null() : static_cast<int>(result);
    }
    const int flags = static_cast<int>(sys::call(__NR_fcntl, fd, F_GETFL));
    if (flags < 0) {
        return flags;
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
        return -EPERM;
    }
    const bool has_path = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    if (!has_path || (flags & O_ACCMODE) != O_RDONLY) {
        return fd;
    }
    return replace_readable(fd, status, flags);
}

Outcome secure(int fd) {
    const int standing_in = replacement(fd);
    if (standing_in < 0) {
        return failure("stdio", standing_in);
    }
    // A stand-in for a closed stream can be that stream already, but then with CLOEXEC.
    if (standing_in == fd) {
        const long result = sys::call(__NR_fcntl, fd, F_SETFD, 0);
        return result < 0 ? failure("stdio", result) : kDone;
    }
    const long result = sys::call(__NR_dup3, standing_in, fd, 0);
    sys::close(standing_in);
    return result < 0 ? failure("stdio", result) : kDone;
}

}  // namespace

Outcome secure_standard_streams() {
    Outcome outcome = kDone;
    for (int fd = 0; fd <= kLastStandardStream && !outcome.failed(); ++fd) {
        outcome = secure(fd);
    }
    return outcome;
}

Outcome close_others(int keep) {
    constexpr unsigned kAll = ~0U;
    constexpr unsigned kFirst = kLastStandardStream + 1;
    if (keep < 0) {
        const long result = sys::call(__NR_close_range, kFirst, kAll, 0);
        return result < 0 ? failure("descriptors", result) : kDone;
    }
    const auto kept = static_cast<unsigned>(keep);
    long result = kept > kFirst ? sys::call(__NR_close_range, kFirst, kept - 1, 0) : 0;
    if (result == 0) {
        result = sys::call(__NR_close_range, kept + 1, kAll, 0);
    }
    return result < 0 ? failure("descriptors", result) : kDone;
}

}  // namespace cordon::launch
