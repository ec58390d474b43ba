#pragma once

#include "outcome.hpp"

#include <cstdint>

#include <sys/types.h>

namespace cordon::launch {

/// The capabilities that a command keeps, one bit each. Uid 0 keeps those without which root could
/// not work on files that belong to somebody else, `chown`, `su` or `kill` its own children.
/// CAP_DAC_READ_SEARCH is not among them: it opens files by handle, whatever the view hides.
[[nodiscard]] std::uint64_t plan_capabilities(uid_t uid);

/// Reduces the process to `keep`, for good: with no_new_privs an exec can give nothing back, so the
/// bounding set (41 calls) need not be touched. Step `capabilities`.
[[nodiscard]] Outcome apply_capabilities(std::uint64_t keep);

}  // namespace cordon::launch
