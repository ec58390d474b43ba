#pragma once

#include <string_view>

namespace cordon {

/// The names under which the product appears to users, kept in one place.
inline constexpr std::string_view kProductName = "cordon";
/// Prefix of environment variables: `CORDON_HOME`, `CORDON_PLUGIN_PATH`.
inline constexpr std::string_view kEnvironmentPrefix = "CORDON_";

}  // namespace cordon
