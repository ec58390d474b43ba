#include "host_facts.hpp"

#include "launcher/kernel.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

namespace cordon::sandbox_local {
namespace {

/// From this ABI on (Linux 6.2) truncation of a file by its path is governed.
constexpr int kAbiWithTruncation = 3;

int landlock_abi() {
    namespace kernel = launch::kernel;
    const long abi = ::syscall(kernel::kCreateRuleset, nullptr, 0, kernel::kRulesetVersion);
    // ENOSYS: not in the kernel; EOPNOTSUPP: switched off at boot (field-29).
    return abi > 0 ? static_cast<int>(abi) : 0;
}

}  // namespace

HostFacts look_at_host() {
    HostFacts facts;
    facts.is_root = ::geteuid() == 0;
    facts.landlock_abi = landlock_abi();

    struct stat status {};

    facts.has_tmp = ::stat("/tmp", &status) == 0 && S_ISDIR(status.st_mode);
    return facts;
}

std::vector<std::string> open_file_effects(const HostFacts& facts) {
    if (facts.landlock_abi == 0) {
        return {
            "this kernel has no Landlock: a file system that the host mounts during the call, and "
            "a file that a descriptor of the call stands for, are not covered by the view"};
    }
    if (facts.landlock_abi < kAbiWithTruncation) {
        return {fmt::format(
            "Landlock ABI {} of this kernel does not govern truncation (ABI {} does): a file in a "
            "file system that the host mounts during the call can be emptied",
            facts.landlock_abi,
            kAbiWithTruncation
        )};
    }
    return {};
}

}  // namespace cordon::sandbox_local
