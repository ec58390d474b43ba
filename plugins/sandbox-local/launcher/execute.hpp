#pragma once

namespace cordon::launch {

/// Becomes the program: `command[0]` as it is where it has a slash, else what PATH of `environment`
/// finds. Returns only where that failed: a negative error number.
[[nodiscard]] long execute(char* const* command, char* const* environment);

}  // namespace cordon::launch
