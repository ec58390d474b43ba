#pragma once

#include "outcome.hpp"

namespace cordon::launch {

/// Makes the loopback interface of a fresh network namespace work, the only one that it has. Step
/// `network`.
[[nodiscard]] Outcome raise_loopback();

}  // namespace cordon::launch
