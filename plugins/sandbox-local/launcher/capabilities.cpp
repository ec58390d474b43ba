#include "capabilities.hpp"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

constexpr std::uint64_t bit(int capability) {
    return std::uint64_t{1} << capability;
}

}  // namespace

std::uint64_t plan_capabilities(uid_t uid) {
    if (uid != 0) {
        return 0;
    }
    return bit(CAP_CHOWN) | bit(CAP_DAC_OVERRIDE) | bit(CAP_FOWNER) | bit(CAP_FSETID) |
           bit(CAP_SETUID) | bit(CAP_SETGID) | bit(CAP_KILL);
}

Outcome apply_capabilities(std::uint64_t keep) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    if (::syscall(SYS_capget, &header, sets) != 0) {
        return failure("capabilities");
    }
    for (int word = 0; word < 2; ++word) {
        const auto kept = static_cast<std::uint32_t>(keep >> (32 * word));
        sets[word].permitted &= kept;
        sets[word].effective = sets[word].permitted;
        // Without inheritable capabilities there are no ambient ones either.
        sets[word].inheritable = 0;
    }
    if (::syscall(SYS_capset, &header, sets) != 0) {
        return failure("capabilities");
    }
    return kDone;
}

}  // namespace cordon::launch
