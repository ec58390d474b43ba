#pragma once

#include <cstdint>

namespace cordon::launch {

enum class Change : std::uint8_t {
    mode,
    owner,
    /// By the type of what the argument points to.
    times_utimbuf,
    times_timeval,
    times_timespec,
    set_attribute,
    remove_attribute,
};

/// How one system call says what it wants to change. Members other than `number` are positions of
/// arguments; below 0: the call has none.
struct MetadataCall {
    int number;
    Change change;
    /// Directory that the path is relative to, or the file itself where there is no path.
    int descriptor;
    int path;
    /// First of the arguments that say what to change to.
    int value;
    int flags;
    /// A symbolic link at the end of the path is meant itself, whatever the flags.
    bool keeps_link;
};

/// Null for a call that the supervisor does not know; it is to fail with ENOSYS.
[[nodiscard]] const MetadataCall* find_metadata_call(int number) noexcept;

}  // namespace cordon::launch
