#include "mounts.hpp"

#include "kernel.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

constexpr const char* kDeviceNodes[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

bool change_mount(const char* path, unsigned flags, const kernel::MountAttributes& attributes) {
    return ::syscall(
               kernel::kMountSetAttribute, AT_FDCWD, path, flags, &attributes, sizeof attributes
           ) == 0;
}

}  // namespace

Outcome seal_mounts() {
    kernel::MountAttributes read_only{};
    read_only.set = kernel::kMountReadOnly;
    for (const char* node : kDeviceNodes) {
        if (!change_mount(node, 0, read_only) && errno != ENOENT) {
            return failure("mounts", node);
        }
    }
    kernel::MountAttributes separate{};
    separate.propagation = kernel::kPropagatePrivate;
    if (!change_mount("/", kernel::kRecursive, separate)) {
        return failure("mounts", "/");
    }
    return kDone;
}

}  // namespace cordon::launch
