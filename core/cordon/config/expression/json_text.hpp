#pragma once

#include <cordon/config/expression/js_value.hpp>

namespace cordon::expression {

/// `JSON.parse(text)` without a reviver; `JSON.stringify(value)` without indentation.
[[nodiscard]] JsValue json_parse(const Invocation& call);
[[nodiscard]] JsValue json_stringify(const Invocation& call);

}  // namespace cordon::expression
