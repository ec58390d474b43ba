#pragma once

// Kernel interfaces that the headers of Debian 12 (Linux 6.1) lack or know in part. Each with the
// version that brought it and the page that describes it.

#include <cstdint>

#include <asm/unistd.h>

namespace cordon::launch::kernel {

// landlock(7). ABI 1: 5.13, 2: 5.19, 3: 6.2, 4: 6.7, 5: 6.10, 6: 6.12, 7: 6.15.
inline constexpr std::uint64_t kExecute = 1U << 0;
inline constexpr std::uint64_t kWriteFile = 1U << 1;
inline constexpr std::uint64_t kReadFile = 1U << 2;
inline constexpr std::uint64_t kReadDirectory = 1U << 3;
inline constexpr std::uint64_t kRemoveDirectory = 1U << 4;
inline constexpr std::uint64_t kRemoveFile = 1U << 5;
inline constexpr std::uint64_t kMakeCharacterDevice = 1U << 6;
inline constexpr std::uint64_t kMakeDirectory = 1U << 7;
inline constexpr std::uint64_t kMakeRegular = 1U << 8;
inline constexpr std::uint64_t kMakeSocket = 1U << 9;
inline constexpr std::uint64_t kMakeFifo = 1U << 10;
inline constexpr std::uint64_t kMakeBlockDevice = 1U << 11;
inline constexpr std::uint64_t kMakeSymlink = 1U << 12;
inline constexpr std::uint64_t kRefer = 1U << 13;        // ABI 2
inline constexpr std::uint64_t kTruncate = 1U << 14;     // ABI 3
inline constexpr std::uint64_t kIoctlDevice = 1U << 15;  // ABI 5

inline constexpr std::uint64_t kBindTcp = 1U << 0;     // ABI 4
inline constexpr std::uint64_t kConnectTcp = 1U << 1;  // ABI 4

inline constexpr std::uint64_t kScopeAbstractSocket = 1U << 0;  // ABI 6
inline constexpr std::uint64_t kScopeSignal = 1U << 1;          // ABI 6

/// struct landlock_ruleset_attr with the members of ABI 4 and 6.
struct RulesetAttributes {
    std::uint64_t handled_access_fs;
    std::uint64_t handled_access_net;
    std::uint64_t scoped;
};

/// struct landlock_path_beneath_attr.
struct [[gnu::packed]] PathBeneathAttributes {
    std::uint64_t allowed_access;
    std::int32_t parent_fd;
};

inline constexpr unsigned kRulesetVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
inline constexpr int kRulePathBeneath = 1;      // LANDLOCK_RULE_PATH_BENEATH

/// struct mount_attr of mount_setattr(2), Linux 5.12.
struct MountAttributes {
    std::uint64_t set;
    std::uint64_t clear;
    std::uint64_t propagation;
    std::uint64_t user_namespace_fd;
};

inline constexpr std::uint64_t kMountReadOnly = 1;           // MOUNT_ATTR_RDONLY
inline constexpr std::uint64_t kMountNoSetUid = 2;           // MOUNT_ATTR_NOSUID
inline constexpr std::uint64_t kMountNoDevices = 4;          // MOUNT_ATTR_NODEV
inline constexpr std::uint64_t kMountNoExecute = 8;          // MOUNT_ATTR_NOEXEC
inline constexpr std::uint64_t kPropagatePrivate = 1 << 18;  // MS_PRIVATE
inline constexpr unsigned kRecursive = 0x8000;               // AT_RECURSIVE
inline constexpr unsigned kOpenTreeClone = 1;                // OPEN_TREE_CLONE
inline constexpr unsigned kMoveFromEmptyPath = 0x04;         // MOVE_MOUNT_F_EMPTY_PATH
inline constexpr unsigned kMoveToEmptyPath = 0x40;           // MOVE_MOUNT_T_EMPTY_PATH

// System calls by number where the name is younger than the headers. The numbers from 424 on are
// the same on every architecture.
inline constexpr int kOpenTree = 428;           // 5.2
inline constexpr int kMoveMount = 429;          // 5.2
inline constexpr int kFsOpen = 430;             // 5.2
inline constexpr int kFsConfig = 431;           // 5.2
inline constexpr int kFsMount = 432;            // 5.2
inline constexpr int kFsPick = 433;             // 5.2
inline constexpr int kMountSetAttribute = 442;  // 5.12
inline constexpr int kQuotactlFd = 443;         // 5.14
inline constexpr int kCreateRuleset = 444;      // 5.13
inline constexpr int kAddRule = 445;            // 5.13
inline constexpr int kRestrictSelf = 446;       // 5.13
inline constexpr int kOpenat2 = 437;            // 5.6
inline constexpr int kFchmodat2 = 452;          // 6.6
inline constexpr int kSetXattrAt = 463;         // 6.13
inline constexpr int kRemoveXattrAt = 466;      // 6.13
inline constexpr int kOpenTreeAttribute = 467;  // 6.15
inline constexpr int kFileSetAttribute = 469;   // 6.17

}  // namespace cordon::launch::kernel
