#pragma once

#include "outcome.hpp"

#include <sys/types.h>

namespace cordon::launch {

/// Maps the caller's own ids, as they were before it entered a fresh user namespace, to themselves:
/// the only map that needs no privilege. Every other id looks like nobody. Step `identity`.
[[nodiscard]] Outcome keep_identity(uid_t uid, gid_t gid);

}  // namespace cordon::launch
