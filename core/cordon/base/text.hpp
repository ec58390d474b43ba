#pragma once

#include <cordon/base/export.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// The candidate most like `name`, for "did you mean" hints; empty where none is near.
[[nodiscard]] CORDON_API std::optional<std::string> nearest_name(
    std::string_view name, std::span<const std::string> candidates
);

/// `word` as one word of POSIX shell source; unchanged where it needs no quotes.
[[nodiscard]] CORDON_API std::string shell_quote(std::string_view word);

/// Every word quoted, separated by blanks.
[[nodiscard]] CORDON_API std::string shell_join(std::span<const std::string> words);

[[nodiscard]] CORDON_API std::string join(
    std::span<const std::string> items, std::string_view separator = ", "
);

/// ASCII only, which is enough for every signature of the contract (spec SB-66).
[[nodiscard]] CORDON_API std::string to_lower(std::string_view text);

/// Without leading and trailing blanks, tabs, carriage returns and newlines.
[[nodiscard]] CORDON_API std::string_view trim(std::string_view text);

/// The lines of `text`, ended by LF or CRLF; a lone CR ends none. What follows the last end is a
/// line only if there is something.
[[nodiscard]] CORDON_API std::vector<std::string_view> split_lines(std::string_view text);

/// Byte offset of the first byte that is not part of well-formed UTF-8; empty where all is well.
[[nodiscard]] CORDON_API std::optional<std::size_t> invalid_utf8_offset(std::string_view text);

}  // namespace cordon
