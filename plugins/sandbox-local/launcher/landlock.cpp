#include "landlock.hpp"

#include "kernel.hpp"
#include "system.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

namespace cordon::launch {
namespace {

using namespace kernel;  // NOLINT(google-build-using-namespace): the whole file is about them

constexpr std::uint64_t kRead = kExecute | kReadFile | kReadDirectory;
constexpr std::uint64_t kSink = kReadFile | kWriteFile | kTruncate;
constexpr std::uint64_t kTerminal = kSink | kReadDirectory | kIoctlDevice;
/// Not kMakeCharacterDevice, kMakeBlockDevice, kIoctlDevice: a device node is a door to the whole
/// disk, wherever it stands.
constexpr std::uint64_t kWritable = kRead | kWriteFile | kTruncate | kRemoveDirectory |
                                    kRemoveFile | kMakeDirectory | kMakeRegular | kMakeSocket |
                                    kMakeFifo | kMakeSymlink | kRefer;

constexpr const char* kSinks[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
constexpr const char* kTerminals[] = {"/dev/tty", "/dev/ptmx", "/dev/pts"};

constexpr int kNewestKnownAbi = 7;

std::uint64_t rights_of_abi(int abi) {
    std::uint64_t rights = kRefer - 1;  // every bit below it
    if (abi >= 2) {
        rights |= kRefer;
    }
    if (abi >= 3) {
        rights |= kTruncate;
    }
    if (abi >= 5) {
        rights |= kIoctlDevice;
    }
    return rights;
}

void add(LandlockPlan& plan, const char* path, std::uint64_t access, bool required) {
    plan.rules[plan.rule_count++] = LandlockRule{path, access & plan.handled, required};
}

/// A writable root is opened without following any link: the path was canonical when the view was
/// planned, and must not lead anywhere else now.
int open_path(const LandlockRule& rule) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = (rule.access & kMakeRegular) != 0 ? RESOLVE_NO_SYMLINKS : 0;
    return static_cast<int>(sys::call(kOpenat2, AT_FDCWD, rule.path, &how, sizeof how));
}

Outcome add_rule(int ruleset_fd, const LandlockRule& rule) {
    const int fd = open_path(rule);
    if (fd < 0) {
        return fd == -ENOENT && !rule.required ? kDone : failure("landlock", fd, rule.path);
    }

    struct stat status {};

    long result = sys::call(__NR_fstat, fd, &status);
    if (result == 0) {
        const std::uint64_t access =
            S_ISDIR(status.st_mode) ? rule.access : rights_of_file(rule.access);
        const PathBeneathAttributes beneath{access, fd};
        result = sys::call(kAddRule, ruleset_fd, kRulePathBeneath, &beneath, 0);
    }
    sys::close(fd);
    return result < 0 ? failure("landlock", result, rule.path) : kDone;
}

}  // namespace

std::uint64_t rights_of_file(std::uint64_t access) {
    return access & (kExecute | kReadFile | kWriteFile | kTruncate | kIoctlDevice);
}

LandlockPlan plan_landlock(const Options& options) {
    LandlockPlan plan;
    plan.abi = options.landlock_abi < kNewestKnownAbi ? options.landlock_abi : kNewestKnownAbi;
    if (plan.abi == 0) {
        return plan;
    }
    plan.handled = rights_of_abi(plan.abi);
    plan.scoped = plan.abi >= 6 ? kScopeAbstractSocket | kScopeSignal : 0;
    if (!options.network && plan.abi >= 4) {
        plan.handled_network = kBindTcp | kConnectTcp;
    }
    add(plan, "/", kRead, /*required=*/true);
    for (const char* path : kSinks) {
        add(plan, path, kSink, /*required=*/false);
    }
    for (const char* path : kTerminals) {
        add(plan, path, kTerminal, /*required=*/false);
    }
    for (const char* path : options.writable) {
        add(plan, path, kWritable, /*required=*/true);
    }
    for (const char* path : options.private_folders) {
        add(plan, path, kWritable, /*required=*/true);
    }
    return plan;
}

Outcome prepare_landlock(const LandlockPlan& plan, int& ruleset_fd) {
    if (plan.abi == 0) {
        return kDone;
    }
    // An older kernel accepts the longer structure as long as what it does not know is zero.
    const RulesetAttributes attributes{plan.handled, plan.handled_network, plan.scoped};
    ruleset_fd = static_cast<int>(sys::call(kCreateRuleset, &attributes, sizeof attributes, 0));
    if (ruleset_fd < 0) {
        return failure("landlock", ruleset_fd);
    }
    for (std::size_t i = 0; i < plan.rule_count; ++i) {
        const Outcome outcome = add_rule(ruleset_fd, plan.rules[i]);
        if (outcome.failed()) {
            return outcome;
        }
    }
    return kDone;
}

Outcome apply_landlock(int ruleset_fd) {
    if (ruleset_fd < 0) {
        return kDone;
    }
    if (const long result = sys::call(kRestrictSelf, ruleset_fd, 0); result < 0) {
        return failure("landlock", result);
    }
    sys::close(ruleset_fd);
    return kDone;
}

}  // namespace cordon::launch
