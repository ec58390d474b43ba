#include "mounts.hpp"

#include "kernel.hpp"
#include "system.hpp"

#include <cerrno>

#include <fcntl.h>

namespace cordon::launch {
namespace {

constexpr const char* kDeviceNodes[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

long change_mount(const char* path, unsigned flags, const kernel::MountAttributes& attributes) {
    return sys::call(
        kernel::kMountSetAttribute, AT_FDCWD, path, flags, &attributes, sizeof attributes
    );
}

}  // namespace

Outcome seal_mounts() {
    kernel::MountAttributes read_only{};
    read_only.set = kernel::kMountReadOnly;
    for (const char* node : kDeviceNodes) {
        const long result = change_mount(node, 0, read_only);
        if (result < 0 && result != -ENOENT) {
            return failure("mounts", result, node);
        }
    }
    kernel::MountAttributes separate{};
    separate.propagation = kernel::kPropagatePrivate;
    const long result = change_mount("/", kernel::kRecursive, separate);
    return result < 0 ? failure("mounts", result, "/") : kDone;
}

}  // namespace cordon::launch
