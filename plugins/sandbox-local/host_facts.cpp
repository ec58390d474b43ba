#include "host_facts.hpp"

#include "launcher/kernel.hpp"

#include <cerrno>
#include <fstream>

#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cordon::sandbox_local {
namespace {

int landlock_abi() {
    namespace kernel = launch::kernel;
    const long abi = ::syscall(kernel::kCreateRuleset, nullptr, 0, kernel::kRulesetVersion);
    // ENOSYS: not in the kernel; EOPNOTSUPP: switched off at boot (field-29).
    return abi > 0 ? static_cast<int>(abi) : 0;
}

bool has_capability(int capability) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    return ::syscall(SYS_capget, &header, sets) == 0 &&
           (sets[0].effective & (1U << static_cast<unsigned>(capability))) != 0;
}

bool is_directory(const char* path) {
    struct stat status {};

    return ::stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool can_supervise() {
    // No filter and no descriptor: whoever would do it says what is wrong with these arguments, and
    // an older kernel, or a filter around us, something else.
    const bool has_listeners =
        ::syscall(
            SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, nullptr
        ) != 0 &&
        errno == EFAULT;
    return has_listeners && ::syscall(SYS_pidfd_getfd, -1, 0, 0) != 0 && errno == EBADF;
}

std::string first_line(const char* file) {
    std::ifstream stream{file};
    std::string line;
    std::getline(stream, line);
    return line;
}

}  // namespace

HostFacts look_at_host() {
    HostFacts facts;
    facts.user = ::geteuid();
    facts.group = ::getegid();
    facts.is_root = facts.user == 0;
    facts.landlock_abi = landlock_abi();
    facts.has_tmp = is_directory("/tmp");
    facts.has_shared_memory = is_directory("/dev/shm");
    facts.may_mount = has_capability(CAP_SYS_ADMIN);
    facts.can_supervise = can_supervise();
    return facts;
}

std::string user_namespace_obstacle() {
    if (first_line("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1") {
        return "userns-apparmor: AppArmor restricts user namespaces (sysctl "
               "kernel.apparmor_restrict_unprivileged_userns)";
    }
    if (first_line("/proc/sys/kernel/unprivileged_userns_clone") == "0") {
        return "userns-off: user namespaces are off for ordinary users (sysctl "
               "kernel.unprivileged_userns_clone)";
    }
    if (first_line("/proc/sys/user/max_user_namespaces") == "0") {
        return "userns-limit: no user namespaces are allowed (sysctl user.max_user_namespaces)";
    }
    return {};
}

}  // namespace cordon::sandbox_local
