#include "capabilities.hpp"

#include "system.hpp"

#include <linux/capability.h>

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
    if (const long result = sys::call(__NR_capget, &header, sets); result < 0) {
        return failure("capabilities", result);
    }
    for (int word = 0; word < 2; ++word) {
        const auto kept = static_cast<std::uint32_t>(keep >> (32 * word));
        sets[word].permitted &= kept;
        sets[word].effective = sets[word].permitted;
        // Without inheritable capabilities there are no ambient ones either.
        sets[word].inheritable = 0;
    }
    const long result = sys::call(__NR_capset, &header, sets);
    return result < 0 ? failure("capabilities", result) : kDone;
}

}  // namespace cordon::launch
