#include "metadata_change.hpp"

#include "kernel.hpp"
#include "system.hpp"
#include "text.hpp"

#include <cerrno>
#include <initializer_list>

#include <fcntl.h>
#include <sys/stat.h>

namespace cordon::launch {
namespace {

/// XATTR_SIZE_MAX, linux/limits.h.
constexpr std::uint64_t kLargestValue = 65536;

/// One request at a time; too large for a stack that is worth having.
char attribute_value[kLargestValue];

long read_times(
    const Requester& requester, Change kind, std::uint64_t source, MetadataChange& change
) {
    change.has_times = source != 0;
    if (!change.has_times) {
        return 0;  // now
    }
    if (kind == Change::times_utimbuf) {
        std::int64_t seconds[2];
        const long result = requester.read(seconds, source, sizeof seconds);
        change.times[0] = seconds[0];
        change.times[2] = seconds[1];
        return result;
    }
    const long result = requester.read(change.times, source, sizeof change.times);
    if (result == 0 && kind == Change::times_timeval) {
        constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
        for (const int at : {1, 3}) {
            if (change.times[at] < 0 || change.times[at] >= kMicrosecondsPerSecond) {
                return -EINVAL;
            }
            change.times[at] *= 1000;
        }
    }
    return result;
}

long read_attribute(
    const Requester& requester, Change kind, const std::uint64_t* arguments, MetadataChange& change
) {
    long result = requester.read_text(change.name, sizeof change.name, arguments[0]);
    if (result < 0) {
        return result == -ENAMETOOLONG ? -ERANGE : result;
    }
    if (!begins(change.name, "user.") && !begins(change.name, "system.posix_acl_")) {
        return -EPERM;
    }
    if (kind == Change::remove_attribute) {
        return 0;
    }
    change.value_size = arguments[2];
    change.attribute_flags = static_cast<int>(arguments[3]);
    if (change.value_size > kLargestValue) {
        return -E2BIG;
    }
    return change.value_size == 0
               ? 0
               : requester.read(attribute_value, arguments[1], change.value_size);
}

long change_mode(int target, const char* link, std::uint32_t mode) {
    struct stat status {};

    const long result = sys::call(__NR_fstat, target, &status);
    if (result < 0) {
        return result;
    }
    if (S_ISLNK(status.st_mode)) {
        return -EOPNOTSUPP;
    }
    // A program of root with this bit would be root for everybody who reaches it.
    if ((mode & S_ISUID) != 0 && !S_ISDIR(status.st_mode) && sys::call(__NR_geteuid) == 0) {
        return -EPERM;
    }
    const long changed = sys::call(kernel::kFchmodat2, target, "", mode, AT_EMPTY_PATH);
    return changed == -ENOSYS ? sys::call(__NR_fchmodat, AT_FDCWD, link, mode) : changed;
}

bool is_link(int target) {
    struct stat status {};

    return sys::call(__NR_fstat, target, &status) < 0 || S_ISLNK(status.st_mode);
}

}  // namespace

long read_change(
    const Requester& requester,
    const MetadataCall& call,
    const std::uint64_t* arguments,
    MetadataChange& change
) {
    const std::uint64_t* const value = arguments + call.value;
    change.change = call.change;
    switch (call.change) {
        case Change::mode:
            change.mode = static_cast<std::uint32_t>(value[0]) & 07777U;
            return 0;
        case Change::owner:
            change.user = static_cast<std::uint32_t>(value[0]);
            change.group = static_cast<std::uint32_t>(value[1]);
            return 0;
        case Change::times_utimbuf:
        case Change::times_timeval:
        case Change::times_timespec:
            return read_times(requester, call.change, value[0], change);
        case Change::set_attribute:
        case Change::remove_attribute:
            return read_attribute(requester, call.change, value, change);
    }
    return -ENOSYS;
}

long make_change(int target, const MetadataChange& change) {
    Text<48> link;  // the kernel follows it to the very file, whatever happens to its name
    link << "/proc/self/fd/" << target;
    switch (change.change) {
        case Change::mode:
            return change_mode(target, link.c_str(), change.mode);
        case Change::owner:
            return sys::call(__NR_fchownat, target, "", change.user, change.group, AT_EMPTY_PATH);
        case Change::times_utimbuf:
        case Change::times_timeval:
        case Change::times_timespec:
            return sys::call(
                __NR_utimensat, target, "", change.has_times ? change.times : nullptr, AT_EMPTY_PATH
            );
        case Change::set_attribute:
            return is_link(target) ? -EPERM
                                   : sys::call(
                                         __NR_setxattr,
                                         link.c_str(),
                                         change.name,
                                         attribute_value,
                                         change.value_size,
                                         change.attribute_flags
                                     );
        case Change::remove_attribute:
            return is_link(target) ? -EPERM
                                   : sys::call(__NR_removexattr, link.c_str(), change.name);
    }
    return -ENOSYS;
}

}  // namespace cordon::launch
