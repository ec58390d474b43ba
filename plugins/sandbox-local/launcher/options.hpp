#pragma once

#include "outcome.hpp"

#include <array>
#include <cstddef>

namespace cordon::launch {

inline constexpr std::size_t kMaxWritableRoots = 32;
inline constexpr std::size_t kMaxOtherPaths = 32;

/// Paths that point into somebody else's memory.
template <std::size_t Capacity>
struct PathList {
    std::array<const char*, Capacity> paths{};
    std::size_t count = 0;

    /// False where there is no room.
    [[nodiscard]] bool add(const char* path) noexcept {
        if (count == Capacity) {
            return false;
        }
        paths[count++] = path;
        return true;
    }

    [[nodiscard]] const char* const* begin() const noexcept { return paths.data(); }

    [[nodiscard]] const char* const* end() const noexcept { return paths.data() + count; }
};

/// How one command is to be confined. The command line of cordon-launch says it, and the in-process
/// form is made from it directly:
///
///     cordon-launch --mode read-only|workspace-write --landlock-abi N
///                   [--writable DIR]... [--private DIR]...
///                   [--own-mounts | --view [--read-only PATH]... [--keep FILE]...
///                    [--temp-source DIR] [--user-namespace] [--process-namespace]]
///                   [--supervise] [--no-network] [--temp DIR] [--chdir DIR] [--status-fd N]
///                   (--check | -- COMMAND [ARG]...)
///
/// Texts point into the command line.
struct Options {
    /// False: read-only; every change of metadata is refused then, wherever it is.
    bool workspace_write = false;
    /// The rights to govern, as of this ABI of Landlock; 0 does without Landlock.
    int landlock_abi = -1;
    /// What may be written: directories with everything under them, or files.
    PathList<kMaxWritableRoots> writable;
    /// Directories that become empty and private to the call, and writable.
    PathList<kMaxOtherPaths> private_folders;

    /// The mount namespace is the caller's own, made by another runner, and so is the right to
    /// change it: only what that runner cannot do is done to it.
    bool own_mounts = false;
    /// Make namespaces of our own and build the view in them. The members below are about it.
    bool view = false;
    /// Paths under a writable one that must not be written.
    PathList<kMaxOtherPaths> read_only;
    /// Files that a private folder would hide and that must stay.
    PathList<kMaxOtherPaths> kept;
    /// Directory of the host that stands in place of the first private folder; may be null.
    const char* temporary_source = nullptr;
    /// Make a user namespace too, for callers who may not make the others without it.
    bool user_namespace = false;
    /// The command sees, and leaves behind, no process but its own.
    bool process_namespace = false;

    /// Stay as a supervisor that carries out changes of metadata under the writable roots, because
    /// Landlock has no right for them.
    bool supervise = false;
    /// False: no network at all with a view, no TCP with Landlock alone.
    bool network = true;

    /// Where the command finds room for temporary files if its TMPDIR cannot be written; may be
    /// null.
    const char* temporary = nullptr;
    /// Working directory of the command; null keeps the one at hand.
    const char* workdir = nullptr;
    int status_fd = -1;
    /// Do everything but run a command.
    bool check = false;
    /// Program and arguments, ended by null.
    char** command = nullptr;
};

/// Fills `options` from the command line. Step `options`, subject: the argument that is wrong.
[[nodiscard]] Outcome parse_options(int argument_count, char** arguments, Options& options);

}  // namespace cordon::launch
