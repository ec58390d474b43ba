#pragma once

#include <cordon/config/value.hpp>

#include <optional>
#include <string_view>

namespace cordon::yaml {

/// The value of a plain scalar under the JSON schema of js-yaml: null, boolean, number, or else the
/// text itself. `yes`, `no`, dates and `1_000` are texts (spec composition.md 2).
[[nodiscard]] Value resolve_plain(std::string_view text);

/// The value of a scalar behind a core tag (`tag:yaml.org,2002:int`); empty where the text is not
/// one of that type. Precondition: `is_core_scalar_tag(tag)`.
[[nodiscard]] std::optional<Value> resolve_tagged(std::string_view tag, std::string_view text);

/// `!!str`, `!!int`, `!!float`, `!!bool`, `!!null` in their long spelling.
[[nodiscard]] bool is_core_scalar_tag(std::string_view tag);

/// `text` as UTF-8: for the escapes `\N` and `\_` yaml-cpp gives a byte of Latin-1.
[[nodiscard]] std::string repaired(std::string_view text);

/// The key that a scalar in key position stands for: JavaScript turns every key into a text.
[[nodiscard]] std::string key_text(const Value& scalar);

inline constexpr std::string_view kExpressionTag = "tag:yaml.org,2002:js";
inline constexpr std::string_view kSequenceTag = "tag:yaml.org,2002:seq";
inline constexpr std::string_view kMappingTag = "tag:yaml.org,2002:map";

/// Tags as a person writes them: `!!js` for the long spelling.
[[nodiscard]] std::string short_tag(std::string_view tag);

}  // namespace cordon::yaml
