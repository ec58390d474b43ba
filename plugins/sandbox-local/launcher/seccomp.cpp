#include "seccomp.hpp"

#include "denied_calls.hpp"
#include "system.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace cordon::launch {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
/// Calls of the x32 ABI carry this bit under the same architecture.
constexpr std::uint32_t kForeignCalls = 0x40000000;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kForeignCalls = 0x80000000;
#else
    #error "seccomp.cpp knows the system call tables of x86_64 and aarch64"
#endif

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;

constexpr std::uint32_t refuse(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

/// Appends instructions. The accumulator holds the call's number between the parts; a part that
/// loads something else loads the number again.
class Assembler {
public:
    explicit Assembler(Filter& filter) : filter_(filter) {}

    void load(std::size_t offset) {
        put(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
    }

    void load_number() { load(offsetof(seccomp_data, nr)); }

    /// The lower half of an argument, which is all of it for the calls looked at here.
    void load_argument(std::size_t index) { load(argument(index)); }

    void load_argument_high(std::size_t index) { load(argument(index) + 4); }

    void keep_bits(std::uint32_t bits) { put(BPF_ALU | BPF_AND | BPF_K, bits); }

    void shift_right(std::uint32_t bits) { put(BPF_ALU | BPF_RSH | BPF_K, bits); }

    void finish(std::uint32_t action) { put(BPF_RET | BPF_K, action); }

    void if_equal_finish(std::uint32_t value, std::uint32_t action) {
        jump(BPF_JEQ, value, 0, 1);
        finish(action);
    }

    void if_any_bit_finish(std::uint32_t bits, std::uint32_t action) {
        jump(BPF_JSET, bits, 0, 1);
        finish(action);
    }

    void if_at_least_finish(std::uint32_t value, std::uint32_t action) {
        jump(BPF_JGE, value, 0, 1);
        finish(action);
    }

    void unless_equal_finish(std::uint32_t value, std::uint32_t action) {
        jump(BPF_JEQ, value, 1, 0);
        finish(action);
    }

    /// What is appended up to `end_call` is for this call only.
    void begin_call(int number) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(number), 1, 0);
        skip_ = filter_.size;
        put(BPF_JMP | BPF_JA, 0);
    }

    void end_call() {
        load_number();
        filter_.code[skip_].k = static_cast<std::uint32_t>(filter_.size - skip_ - 1);
    }

private:
    static std::size_t argument(std::size_t index) {
        return offsetof(seccomp_data, args) + index * sizeof(std::uint64_t);
    }

    void put(int code, std::uint32_t value) {
        filter_.code[filter_.size++] = sock_filter{static_cast<std::uint16_t>(code), 0, 0, value};
    }

    void jump(int test, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
        filter_.code[filter_.size++] = sock_filter{
            static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), if_true, if_false, value};
    }

    Filter& filter_;
    std::size_t skip_ = 0;
};

template <std::size_t Count>
void finish_all(Assembler& to, const int (&calls)[Count], std::uint32_t action) {
    for (const int call : calls) {
        to.if_equal_finish(static_cast<std::uint32_t>(call), action);
    }
}

/// Nodes of devices; regular files, FIFOs and sockets pass.
void refuse_device_nodes(Assembler& to, int call, std::size_t mode_argument) {
    to.begin_call(call);
    to.load_argument(mode_argument);
    to.keep_bits(S_IFMT);
    to.if_equal_finish(S_IFCHR, refuse(EPERM));
    to.if_equal_finish(S_IFBLK, refuse(EPERM));
    to.end_call();
}

void refuse_set_uid(Assembler& to, const ModeArgument& call) {
    to.begin_call(call.number);
    to.load_argument(call.position);
    to.if_any_bit_finish(S_ISUID, refuse(EPERM));
    to.end_call();
}

/// A user namespace gives every capability over itself, and with them the kernel's least tested
/// interfaces. The flags of clone3 are in memory, where a filter cannot look: without it the C
/// library falls back to clone.
void refuse_user_namespaces(Assembler& to) {
    for (const int call : {SYS_unshare, SYS_clone}) {
        to.begin_call(call);
        to.load_argument(0);
        to.if_any_bit_finish(CLONE_NEWUSER, refuse(EPERM));
        to.end_call();
    }
    to.if_equal_finish(SYS_clone3, refuse(ENOSYS));
}

/// Limits of other processes. A pid of 0 is the caller, a null `new_limit` only reads.
void refuse_foreign_limits(Assembler& to) {
    to.begin_call(SYS_prlimit64);
    to.load_argument(0);
    to.if_equal_finish(0, kAllow);
    to.load_argument(2);
    to.unless_equal_finish(0, refuse(EPERM));
    to.load_argument_high(2);
    to.unless_equal_finish(0, refuse(EPERM));
    to.end_call();
}

/// `truncate`, and opening for reading with O_TRUNC: both empty a file that is not open for
/// writing.
void refuse_path_truncation(Assembler& to) {
    to.if_equal_finish(SYS_truncate, refuse(EACCES));

    struct Open {
        int number;
        std::size_t flags;
    };

    constexpr Open kOpens[] = {
#ifdef SYS_open
        {SYS_open, 1},
#endif
        {SYS_openat, 2}};
    for (const Open& open : kOpens) {
        to.begin_call(open.number);
        to.load_argument(open.flags);
        to.keep_bits(O_ACCMODE | O_TRUNC);
        to.if_equal_finish(O_RDONLY | O_TRUNC, refuse(EACCES));
        to.end_call();
    }
}

void refuse_foreign_sockets(Assembler& to) {
    to.begin_call(SYS_socket);
    to.load_argument(0);
    to.unless_equal_finish(AF_UNIX, refuse(EACCES));
    to.end_call();
}

/// Last part: it leaves the number of the call behind.
void finish_ioctls(Assembler& to, bool deny_metadata) {
    to.unless_equal_finish(SYS_ioctl, kAllow);
    to.load_argument(1);
    for (const std::uint32_t request : kInjectingRequests) {
        to.if_equal_finish(request, refuse(EPERM));
    }
    if (deny_metadata) {
        for (const std::uint32_t request : kHarmlessInodeRequests) {
            to.if_equal_finish(request, kAllow);
        }
        to.shift_right(8);
        to.keep_bits(0xff);
        for (const std::uint32_t family : kInodeRequestFamilies) {
            to.if_equal_finish(family, refuse(EROFS));
        }
    }
    to.finish(kAllow);
}

}  // namespace

FilterRules plan_filter_rules(const Options& options, uid_t uid) {
    FilterRules rules;
    rules.deny_metadata = !options.workspace_write;
    rules.deny_set_uid = uid == 0;
    rules.supervise_metadata = options.supervise;
    // With mounts of our own everything else is read-only already, or has no network.
    const bool landlock_alone = !options.view && !options.own_mounts;
    constexpr int kAbiWithTruncation = 3;
    rules.deny_path_truncation = landlock_alone && options.landlock_abi < kAbiWithTruncation;
    rules.deny_network = landlock_alone && !options.network;
    return rules;
}

Filter plan_filter(const FilterRules& rules) {
    Filter filter;
    Assembler to{filter};
    to.load(offsetof(seccomp_data, arch));
    to.unless_equal_finish(kArchitecture, refuse(ENOSYS));
    to.load_number();
    to.if_at_least_finish(kForeignCalls, refuse(ENOSYS));
    if (rules.deny_metadata) {
        finish_all(to, kMetadataCalls, refuse(EROFS));
    }
    if (rules.supervise_metadata) {
        finish_all(to, kMetadataCalls, SECCOMP_RET_USER_NOTIF);
    }
    finish_all(to, kUringCalls, refuse(ENOSYS));
    finish_all(to, kPrivilegedCalls, refuse(EPERM));
#ifdef SYS_mknod
    refuse_device_nodes(to, SYS_mknod, 1);
#endif
    refuse_device_nodes(to, SYS_mknodat, 2);
    refuse_foreign_limits(to);
    refuse_user_namespaces(to);
    if (rules.deny_path_truncation) {
        refuse_path_truncation(to);
    }
    if (rules.deny_network) {
        refuse_foreign_sockets(to);
    }
    if (rules.deny_set_uid) {
        for (const ModeArgument& call : kModeArguments) {
            refuse_set_uid(to, call);
        }
    }
    if (rules.deny_set_uid || rules.deny_path_truncation) {
        // Its mode and flags are in memory, where a filter cannot look.
        to.if_equal_finish(kernel::kOpenat2, refuse(ENOSYS));
    }
    finish_ioctls(to, rules.deny_metadata || rules.supervise_metadata);
    return filter;
}

Outcome apply_filter(const Filter& filter, int* listener_fd) {
    // The kernel takes a pointer to mutable code, and does not change it.
    const sock_fprog program{
        static_cast<unsigned short>(filter.size), const_cast<sock_filter*>(filter.code.data())};
    const unsigned flags = listener_fd != nullptr ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    const long result = sys::call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result < 0) {
        return failure("seccomp", result);
    }
    if (listener_fd != nullptr) {
        *listener_fd = static_cast<int>(result);
    }
    return kDone;
}

}  // namespace cordon::launch
