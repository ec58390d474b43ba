#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <boost/json/fwd.hpp>

namespace cordon {

/// The value as JSON: an expression becomes `{"__jsExpr": TEXT}`, a whole number up to 2^53 an
/// integer, and a number that JSON does not know (infinity, NaN) null. Marks are lost.
[[nodiscard]] CORDON_API boost::json::value to_json(const Value& value);

/// The reverse of `to_json`, without marks.
[[nodiscard]] CORDON_API Value from_json(const boost::json::value& json);

}  // namespace cordon
