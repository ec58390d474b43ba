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

    /// Continues elsewhere for a number from `value` on, once `land` says where. Up to 255
    /// instructions further.
    [[nodiscard]] std::size_t branch_at_least(std::uint32_t value) {
        jump(BPF_JGE, value, 0, 0);
        return filter_.size - 1;
    }

    void land(std::size_t branch) {
        const std::size_t distance = filter_.size - branch - 1;
        if (distance > 255) {
            __builtin_trap();  // the tables have outgrown the tree; a wrong jump would be worse
        }
        filter_.code[branch].jt = static_cast<std::uint8_t>(distance);
    }

    /// Leaves for `arrive`, wherever that will be.
    void if_equal_depart(std::uint32_t value) {
        jump(BPF_JEQ, value, 0, 1);
        put(BPF_JMP | BPF_JA, kUnknownPlace);
    }

    /// Every departure so far leads here.
    void arrive() {
        for (std::size_t at = 0; at < filter_.size; ++at) {
            sock_filter& instruction = filter_.code[at];
            if (instruction.code == (BPF_JMP | BPF_JA) && instruction.k == kUnknownPlace) {
                instruction.k = static_cast<std::uint32_t>(filter_.size - at - 1);
            }
        }
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
    static constexpr std::uint32_t kUnknownPlace = ~std::uint32_t{0};

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

/// What happens to the calls that the filter knows, by their numbers. A tree instead of a list: the
/// kernel runs a new filter once for every number there is, to remember those that it may always
/// allow, and that is most of what installing a filter costs.
class CallTable {
public:
    /// The first entry for a number counts.
    void add(int number, std::uint32_t action) { insert({number, action, false}); }

    template <std::size_t Count>
    void add_all(const int (&numbers)[Count], std::uint32_t action) {
        for (const int number : numbers) {
            add(number, action);
        }
    }

    /// A call that depends on its arguments: decided after the table.
    void add_examined(int number) { insert({number, 0, true}); }

    /// Everything that is not in the table is allowed.
    void assemble(Assembler& to) const { assemble(to, 0, size_); }

private:
    struct Entry {
        int number;
        std::uint32_t action;
        bool is_examined;
    };

    void insert(const Entry& entry) {
        std::size_t at = 0;
        while (at < size_ && entries_[at].number < entry.number) {
            ++at;
        }
        if (at < size_ && entries_[at].number == entry.number) {
            return;
        }
        if (size_ == entries_.size()) {
            __builtin_trap();  // an entry that is left out would allow its call
        }
        for (std::size_t moved = size_; moved > at; --moved) {
            entries_[moved] = entries_[moved - 1];
        }
        entries_[at] = entry;
        ++size_;
    }

    // NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the table
    void assemble(Assembler& to, std::size_t first, std::size_t last) const {
        constexpr std::size_t kLeaf = 3;
        if (last - first > kLeaf) {
            const std::size_t middle = first + (last - first) / 2;
            const std::size_t branch =
                to.branch_at_least(static_cast<std::uint32_t>(entries_[middle].number));
            assemble(to, first, middle);
            to.land(branch);
            assemble(to, middle, last);
            return;
        }
        for (std::size_t at = first; at < last; ++at) {
            const Entry& entry = entries_[at];
            const auto number = static_cast<std::uint32_t>(entry.number);
            if (entry.is_examined) {
                to.if_equal_depart(number);
            } else {
                to.if_equal_finish(number, entry.action);
            }
        }
        to.finish(kAllow);
    }

    std::array<Entry, 128> entries_{};
    std::size_t size_ = 0;
};

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
/// interfaces.
void refuse_user_namespaces(Assembler& to) {
    for (const int call : {SYS_unshare, SYS_clone}) {
        to.begin_call(call);
        to.load_argument(0);
        to.if_any_bit_finish(CLONE_NEWUSER, refuse(EPERM));
        to.end_call();
    }
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

/// Opening for reading with O_TRUNC empties a file that is not open for writing.
void refuse_path_truncation(Assembler& to) {
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

CallTable plan_table(const FilterRules& rules) {
    CallTable table;
    if (rules.deny_metadata) {
        table.add_all(kMetadataCalls, refuse(EROFS));
    }
    if (rules.supervise_metadata) {
        table.add_all(kMetadataCalls, SECCOMP_RET_USER_NOTIF);
    }
    table.add_all(kUringCalls, refuse(ENOSYS));
    table.add_all(kPrivilegedCalls, refuse(EPERM));
    // Its flags are in memory, where a filter cannot look: without it the C library falls back to
    // clone.
    table.add(SYS_clone3, refuse(ENOSYS));
    if (rules.deny_set_uid || rules.deny_path_truncation) {
        table.add(kernel::kOpenat2, refuse(ENOSYS));  // the same with its mode and flags
    }
    if (rules.deny_path_truncation) {
        table.add(SYS_truncate, refuse(EACCES));
    }
    for (const int call : kExaminedCalls) {
        table.add_examined(call);
    }
    if (rules.deny_network) {
        table.add_examined(SYS_socket);
    }
    if (rules.deny_set_uid || rules.deny_path_truncation) {
        for (const ModeArgument& call : kModeArguments) {
            table.add_examined(call.number);
        }
    }
    return table;
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
    plan_table(rules).assemble(to);
    to.arrive();
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
