#pragma once

#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/js_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cordon::expression {

/// `object.key`; a method comes bound to its object.
///
/// Precondition: `object` is neither undefined nor null.
/// Errors: `Refusal` for a property of a text, number or list that exists in JavaScript or not but
/// is not known here: an answer of `undefined` would hide the difference.
[[nodiscard]] JsValue property_of(
    Evaluator& evaluator, const JsValue& object, const std::string& key, std::size_t offset
);

/// The members that `Object.entries` and `{...value}` see.
[[nodiscard]] JsObject own_members(Evaluator& evaluator, const JsValue& value, std::size_t offset);

/// `String(value)`; a function is refused, because its text is its source.
[[nodiscard]] std::string shown(const JsValue& value, std::size_t offset);

/// What the host gives under a bare name or as `ctx.name`; nothing where there is no such name.
[[nodiscard]] std::optional<JsValue> context_property(
    Evaluator& evaluator, const std::string& name, std::size_t offset
);

}  // namespace cordon::expression
