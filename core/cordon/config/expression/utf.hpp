#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::expression {

/// Texts are UTF-8; JavaScript counts UTF-16 units. These functions translate between the two. An
/// index inside a character beyond U+FFFF, which is two units, means its start.

/// The character at `offset`, which moves behind it. Precondition: well-formed UTF-8.
[[nodiscard]] char32_t decode_character(std::string_view text, std::size_t& offset);

void append_character(std::string& text, char32_t character);

/// `text.length` of JavaScript.
[[nodiscard]] std::size_t utf16_length(std::string_view text);

/// The byte offset of UTF-16 unit `index`, at most the size of the text.
[[nodiscard]] std::size_t byte_offset(std::string_view text, std::size_t index);

/// What `\s` matches and `trim` takes away.
[[nodiscard]] const std::vector<std::pair<char32_t, char32_t>>& blank_ranges();
[[nodiscard]] bool is_blank(char32_t character);

}  // namespace cordon::expression
