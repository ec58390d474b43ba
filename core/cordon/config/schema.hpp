#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <functional>
#include <vector>

namespace cordon {

/// What a plugin's config may hold, made from its config struct by `schema_of` (decode.hpp).
/// Both members empty: every config is accepted as it is.
struct ConfigSchema {
    /// Every problem of an interpolated config; none where it is right.
    std::function<std::vector<Diagnostic>(const Value& config)> check;
    /// One member per key, each a mapping with `type` and `default`, or `keys` for a nested
    /// mapping. For tools that show what may be set.
    std::function<Value()> describe;
};

}  // namespace cordon
