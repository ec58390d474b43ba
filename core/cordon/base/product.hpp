#pragma once

#include <string_view>

namespace cordon {

/// Prefix of the environment variables that are the product's own, such as `CORDON_PLUGIN_PATH`.
inline constexpr std::string_view kEnvironmentPrefix = "CORDON_";

}  // namespace cordon
