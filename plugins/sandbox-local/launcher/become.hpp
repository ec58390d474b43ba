#pragma once

#include "confine.hpp"

namespace cordon::launch {

/// What a child of our own spawner executes.
struct Program {
    const char* path;
    char* const* argv;
    /// With room for one more entry.
    char** environment;
    const char* workdir;
    /// `TMPDIR=…` for a command whose own cannot be written; may be null.
    char* temporary_variable;
    int status_fd;
};

/// Confines this process and becomes the program. Returns only where that failed. Steps: those of
/// `confine`, `chdir`, `exec`.
[[nodiscard]] Outcome become(const Options& options, const Caller& caller, const Program& program);

}  // namespace cordon::launch
