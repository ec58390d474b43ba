#pragma once

#include "outcome.hpp"

#include <array>
#include <cstddef>

namespace cordon::launch {

inline constexpr std::size_t kMaxWritableRoots = 32;

/// What the command line asks for:
///
///     cordon-launch --mode read-only|workspace-write --landlock-abi N [--writable DIR]...
///                   [--own-mounts] [--temp DIR] [--chdir DIR] [--status-fd N]
///                   (--check | -- COMMAND [ARG]...)
///
/// Texts point into the command line.
struct Options {
    /// False: read-only; every change of metadata is refused then, wherever it is.
    bool workspace_write = false;
    /// The rights to govern, as of this ABI of Landlock; 0 does without Landlock.
    int landlock_abi = -1;
    /// Directories that may be written under.
    std::array<const char*, kMaxWritableRoots> writable{};
    std::size_t writable_count = 0;
    /// The mount namespace is the caller's own, and so is the right to change it.
    bool own_mounts = false;
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
