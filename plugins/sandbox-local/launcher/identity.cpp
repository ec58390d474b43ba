#include "identity.hpp"

#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <fcntl.h>

namespace cordon::launch {
namespace {

long write_file(const char* path, const char* text, std::size_t size) {
    const long fd = sys::call(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        return fd;
    }
    const long written = sys::call(__NR_write, fd, text, size);
    sys::close(static_cast<int>(fd));
    return written;
}

Outcome write_map(const char* path, unsigned id) {
    Text<48> map;
    map << id << " " << id << " 1";
    const long result = write_file(path, map.c_str(), map.size());
    return result < 0 ? failure("identity", result, path) : kDone;
}

}  // namespace

Outcome keep_identity(uid_t uid, gid_t gid) {
    // Without it the kernel refuses a group map: leaving a group could give access.
    constexpr const char* kDeny = "deny";
    const long result = write_file("/proc/self/setgroups", kDeny, length(kDeny));
    if (result < 0 && result != -ENOENT) {
        return failure("identity", result, "/proc/self/setgroups");
    }
    const Outcome outcome = write_map("/proc/self/uid_map", uid);
    return outcome.failed() ? outcome : write_map("/proc/self/gid_map", gid);
}

}  // namespace cordon::launch
