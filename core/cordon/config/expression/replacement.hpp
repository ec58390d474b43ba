#pragma once

#include <cordon/config/expression/js_value.hpp>
#include <cordon/config/expression/regex.hpp>

#include <string_view>
#include <vector>

namespace cordon::expression {

/// `text.replace(pattern, replacement)` and `text.replaceAll(…)`: a text or a regular expression,
/// replaced by a text with `$1`, `$&` and their like, or by what a function gives.
[[nodiscard]] JsValue replace_first(const Invocation& call);
[[nodiscard]] JsValue replace_all(const Invocation& call);

/// The matches of the expression from left to right, none overlapping.
[[nodiscard]] std::vector<Regex::Match> all_matches(
    const Invocation& call, std::string_view text, const Regex& regex, bool only_first
);

}  // namespace cordon::expression
