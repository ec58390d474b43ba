#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>

#include <functional>
#include <string>
#include <vector>

namespace cordon {

/// What a plugin's config may hold, made from its config struct by `schema_of` (decode.hpp).
/// All members empty: every config is accepted as it is.
struct ConfigSchema {
    /// Every problem of an interpolated config; none where it is right.
    std::function<std::vector<Diagnostic>(const Value& config)> check;
    /// One member per key, each a mapping with `type` and `default`, or `keys` for a nested
    /// mapping. For tools that show what may be set.
    std::function<Value()> describe;
    /// The whole as a compact type: `{ host: string, port?: integer }` (spec SCH-20).
    std::function<std::string()> type = {};
    /// A config without what equals the defaults, nested too, for writing back (spec SCH-19). What
    /// the schema refuses stays as it is.
    std::function<Value(const Value& config)> simplify = {};
};

}  // namespace cordon
