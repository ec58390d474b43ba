#pragma once

#include <cordon/base/export.hpp>
#include <cordon/process/subprocess.hpp>

namespace cordon {

inline constexpr std::string_view kInvalidSpawn = "INVALID_SPAWN";

/// Refuses a spec that cannot work before anything is done with it. NUL bytes are refused
/// everywhere: the kernel would see a shorter text than the one a policy was checked against
/// (field-93).
///
/// Errors: code `INVALID_SPAWN`, with the texts of spec SU-3 and SU-5 in their order. Values of the
/// environment are never shown.
CORDON_API void check_spawn(const SpawnSpec& spec);

}  // namespace cordon
