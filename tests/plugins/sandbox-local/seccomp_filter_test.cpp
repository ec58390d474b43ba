// The filter is a program; here it runs on an interpreter instead of the kernel.

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <sandbox-local/launcher/denied_calls.hpp>
#include <sandbox-local/launcher/seccomp.hpp>

using namespace cordon::launch;

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kNative = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kForeign = AUDIT_ARCH_I386;
#else
constexpr std::uint32_t kNative = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kForeign = AUDIT_ARCH_ARM;
#endif

bool holds(std::uint16_t test, std::uint32_t left, std::uint32_t right) {
    switch (test) {
        case BPF_JEQ:
            return left == right;
        case BPF_JGE:
            return left >= right;
        case BPF_JSET:
            return (left & right) != 0;
        default:
            throw std::logic_error{"a jump that the filter does not use"};
    }
}

std::uint32_t compute(std::uint16_t operation, std::uint32_t left, std::uint32_t right) {
    switch (operation) {
        case BPF_AND:
            return left & right;
        case BPF_RSH:
            return left >> right;
        default:
            throw std::logic_error{"an operation that the filter does not use"};
    }
}

/// The action for one call.
std::uint32_t run(const Filter& filter, const seccomp_data& call) {
    std::uint32_t accumulator = 0;
    for (std::size_t at = 0; at < filter.size; ++at) {
        const sock_filter& instruction = filter.code[at];
        const std::uint32_t k = instruction.k;
        switch (BPF_CLASS(instruction.code)) {
            case BPF_LD:
                std::memcpy(&accumulator, reinterpret_cast<const char*>(&call) + k, sizeof k);
                break;
            case BPF_ALU:
                accumulator = compute(BPF_OP(instruction.code), accumulator, k);
                break;
            case BPF_RET:
                return k;
            default:
                at += BPF_OP(instruction.code) == BPF_JA                ? k
                      : holds(BPF_OP(instruction.code), accumulator, k) ? instruction.jt
                                                                        : instruction.jf;
        }
    }
    throw std::logic_error{"the filter ran over its end"};
}

using Numbers = std::initializer_list<std::uint64_t>;

struct Call {
    int number;
    std::uint64_t arguments[6] = {};
    std::uint32_t architecture = kNative;
};

const Filter kReadOnly = plan_filter(FilterRules{true, false});
const Filter kWrite = plan_filter(FilterRules{false, false});
const Filter kRootWrite = plan_filter(FilterRules{false, true});

/// The errno with which the filter answers; 0 where it lets the call through.
int answer(const Filter& filter, const Call& call) {
    seccomp_data data{};
    data.nr = call.number;
    data.arch = call.architecture;
    std::memcpy(data.args, call.arguments, sizeof call.arguments);
    const std::uint32_t action = run(filter, data);
    if (action == SECCOMP_RET_ALLOW) {
        return 0;
    }
    REQUIRE((action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO);
    return static_cast<int>(action & SECCOMP_RET_DATA);
}

int answer(const Filter& filter, int number) {
    return answer(filter, Call{number});
}

Call ioctl_call(std::uint64_t request) {
    return Call{SYS_ioctl, {0, request}};
}

}  // namespace

TEST_SUITE("plan_filter") {
    TEST_CASE("is short enough for its buffer and for the kernel") {
        CHECK(kReadOnly.size < Filter::kCapacity);
        CHECK(plan_filter(FilterRules{true, true}).size < Filter::kCapacity);
    }

    TEST_CASE("read-only refuses every change of metadata, workspace-write none of them (W-4)") {
        for (const int call : kMetadataCalls) {
            CAPTURE(call);
            CHECK(answer(kReadOnly, call) == EROFS);
            CHECK(answer(kWrite, call) == 0);
        }
        for (const std::uint64_t request :
             Numbers{FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION}) {
            CHECK(answer(kReadOnly, ioctl_call(request)) == EROFS);
            CHECK(answer(kWrite, ioctl_call(request)) == 0);
        }
        CHECK(answer(kReadOnly, ioctl_call(FS_IOC_GETFLAGS)) == 0);
        CHECK(answer(kReadOnly, ioctl_call(TCGETS)) == 0);
    }

    TEST_CASE("both modes refuse what reaches around the view (W-1, field-13)") {
        for (const Filter* filter : {&kReadOnly, &kWrite, &kRootWrite}) {
            for (const int call : kPrivilegedCalls) {
                CAPTURE(call);
                CHECK(answer(*filter, call) == EPERM);
            }
            for (const int call : kUringCalls) {
                CHECK(answer(*filter, call) == ENOSYS);
            }
        }
    }

    TEST_CASE("terminal input cannot be injected, other terminal requests pass (field-7)") {
        for (const Filter* filter : {&kReadOnly, &kWrite}) {
            for (const std::uint64_t request : Numbers{TIOCSTI, TIOCLINUX, TIOCCONS}) {
                CHECK(answer(*filter, ioctl_call(request)) == EPERM);
                // The kernel looks at the lower half only, and so does the filter.
                CHECK(answer(*filter, ioctl_call(request | (std::uint64_t{1} << 32))) == EPERM);
            }
            for (const std::uint64_t request : Numbers{TIOCGWINSZ, TCGETS, FIONREAD}) {
                CHECK(answer(*filter, ioctl_call(request)) == 0);
            }
        }
    }

    TEST_CASE("device nodes cannot be made, other nodes can") {
        for (const std::uint64_t type : Numbers{S_IFCHR, S_IFBLK}) {
            CHECK(answer(kWrite, Call{SYS_mknodat, {0, 0, type | 0644}}) == EPERM);
        }
        for (const std::uint64_t type : Numbers{S_IFREG, S_IFIFO, S_IFSOCK}) {
            CHECK(answer(kWrite, Call{SYS_mknodat, {0, 0, type | 0644}}) == 0);
        }
    }

    TEST_CASE("limits of other processes can be read, not set") {
        CHECK(answer(kWrite, Call{SYS_prlimit64, {0, 7, 0x1000}}) == 0);
        CHECK(answer(kWrite, Call{SYS_prlimit64, {42, 7, 0}}) == 0);
        CHECK(answer(kWrite, Call{SYS_prlimit64, {42, 7, 0x1000}}) == EPERM);
        CHECK(answer(kWrite, Call{SYS_prlimit64, {42, 7, std::uint64_t{1} << 40}}) == EPERM);
    }

    TEST_CASE("root cannot leave set-uid files behind, and can do everything else with modes") {
        CHECK(answer(kRootWrite, Call{SYS_fchmodat, {0, 0, 04755}}) == EPERM);
        CHECK(answer(kRootWrite, Call{SYS_openat, {0, 0, O_CREAT, 04755}}) == EPERM);
        CHECK(answer(kRootWrite, Call{SYS_fchmodat, {0, 0, 0755}}) == 0);
        CHECK(answer(kWrite, Call{SYS_fchmodat, {0, 0, 04755}}) == 0);
    }

    TEST_CASE("user namespaces cannot be made, threads and processes can") {
        for (const int call : {SYS_unshare, SYS_clone}) {
            CHECK(answer(kWrite, Call{call, {CLONE_NEWUSER | CLONE_NEWNS}}) == EPERM);
            CHECK(answer(kWrite, Call{call, {CLONE_VM | CLONE_THREAD}}) == 0);
        }
        CHECK(answer(kWrite, SYS_clone3) == ENOSYS);
    }

    TEST_CASE("foreign system call tables are not there") {
        CHECK(answer(kWrite, Call{1, {}, kForeign}) == ENOSYS);
#if defined(__x86_64__)
        CHECK(answer(kWrite, Call{0x40000000 + 1}) == ENOSYS);
#endif
    }

    TEST_CASE("ordinary calls pass") {
        for (const int call : {SYS_read, SYS_write, SYS_openat, SYS_execve, SYS_clone, SYS_mmap}) {
            CHECK(answer(kReadOnly, call) == 0);
            CHECK(answer(kRootWrite, call) == 0);
        }
    }
}

TEST_SUITE("plan_filter_rules") {
    TEST_CASE("mode decides about metadata, uid about set-uid files") {
        Options options;
        CHECK(plan_filter_rules(options, 1000).deny_metadata);
        CHECK_FALSE(plan_filter_rules(options, 1000).deny_set_uid);
        options.workspace_write = true;
        CHECK_FALSE(plan_filter_rules(options, 0).deny_metadata);
        CHECK(plan_filter_rules(options, 0).deny_set_uid);
    }
}

TEST_SUITE("the tree of the filter") {
    bool is_listed(int number, bool with_metadata) {
        const auto holds_number = [number](const auto& list) {
            for (const int listed : list) {
                if (listed == number) {
                    return true;
                }
            }
            return false;
        };
        return (with_metadata && holds_number(kMetadataCalls)) || holds_number(kUringCalls) ||
               holds_number(kPrivilegedCalls) || number == SYS_clone3;
    }

    TEST_CASE("refuses every number that a list names and, without arguments, no other") {
        for (int number = 0; number < 1024; ++number) {
            CAPTURE(number);
            CHECK((answer(kReadOnly, Call{number}) != 0) == is_listed(number, true));
            CHECK((answer(kWrite, Call{number}) != 0) == is_listed(number, false));
        }
    }
}

TEST_SUITE("the filter of Landlock alone") {
    std::uint32_t action_of(const FilterRules& rules, int number, std::uint64_t second = 0) {
        seccomp_data data{};
        data.nr = number;
        data.arch = kNative;
        data.args[1] = second;
        return run(plan_filter(rules), data);
    }

    TEST_CASE("hands changes of metadata to the supervisor, and refuses those by ioctl") {
        FilterRules rules;
        rules.supervise_metadata = true;
        rules.deny_set_uid = true;
        for (const int call : kMetadataCalls) {
            CHECK(action_of(rules, call) == SECCOMP_RET_USER_NOTIF);
        }
        CHECK(action_of(rules, SYS_ioctl, FS_IOC_SETFLAGS) == (SECCOMP_RET_ERRNO | EROFS));
        CHECK(action_of(rules, SYS_ioctl, FS_IOC_GETFLAGS) == SECCOMP_RET_ALLOW);
        CHECK(action_of(rules, SYS_unlinkat) == SECCOMP_RET_ALLOW);
    }

    TEST_CASE("before ABI 3 nothing is emptied without being open for writing") {
        FilterRules rules;
        rules.deny_path_truncation = true;
        CHECK(action_of(rules, SYS_truncate) == (SECCOMP_RET_ERRNO | EACCES));
        CHECK(action_of(rules, kernel::kOpenat2) == (SECCOMP_RET_ERRNO | ENOSYS));
        seccomp_data data{};
        data.nr = SYS_openat;
        data.arch = kNative;
        for (const int flags : {O_RDONLY | O_TRUNC, O_RDONLY | O_TRUNC | O_CLOEXEC}) {
            data.args[2] = static_cast<unsigned>(flags);
            CHECK(run(plan_filter(rules), data) == (SECCOMP_RET_ERRNO | EACCES));
        }
        for (const int flags : {O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC, O_RDONLY}) {
            data.args[2] = static_cast<unsigned>(flags);
            CHECK(run(plan_filter(rules), data) == SECCOMP_RET_ALLOW);
        }
    }

    TEST_CASE("without network sockets are local ones") {
        FilterRules rules;
        rules.deny_network = true;
        seccomp_data data{};
        data.nr = SYS_socket;
        data.arch = kNative;
        data.args[0] = AF_UNIX;
        CHECK(run(plan_filter(rules), data) == SECCOMP_RET_ALLOW);
        for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET}) {
            data.args[0] = static_cast<unsigned>(family);
            CHECK(run(plan_filter(rules), data) == (SECCOMP_RET_ERRNO | EACCES));
        }
    }

    TEST_CASE("is asked for where there are no mounts of our own, by the ABI") {
        Options options;
        options.landlock_abi = 2;
        options.network = false;
        CHECK(plan_filter_rules(options, 1000).deny_path_truncation);
        CHECK(plan_filter_rules(options, 1000).deny_network);
        options.view = true;
        CHECK_FALSE(plan_filter_rules(options, 1000).deny_path_truncation);
        CHECK_FALSE(plan_filter_rules(options, 1000).deny_network);
        options.view = false;
        options.landlock_abi = 3;
        CHECK_FALSE(plan_filter_rules(options, 1000).deny_path_truncation);
    }
}
