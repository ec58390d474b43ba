#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/yaml/source.hpp>

#include <yaml-cpp/exceptions.h>

#include <cstddef>
#include <optional>
#include <string>

namespace cordon::yaml {

inline constexpr const char* kTabHint = "Indent with spaces";
inline constexpr const char* kEmptyExpressionHint =
    "Write the expression, or remove the tag; '' is the empty text";

[[nodiscard]] Diagnostic problem_at(
    const Source& source, std::size_t offset, std::string problem, std::string hint
);

/// An expression that YAML reads as something else, such as `!!js a ? b : c`, with the quoted
/// spelling. `tag_offset` is where its `!!js` stands.
[[nodiscard]] Diagnostic unquoted_expression(const Source& source, std::size_t tag_offset);

[[nodiscard]] Diagnostic unknown_tag(
    const Source& source, std::size_t offset, const std::string& tag, std::string_view node
);

[[nodiscard]] Diagnostic key_without_colon(const Source& source, std::size_t key, bool is_flow);

[[nodiscard]] Diagnostic unclosed_quote(const Source& source, std::size_t quote);

/// More text behind the end of the first document.
[[nodiscard]] Diagnostic second_document(const Source& source, std::size_t offset);

/// What yaml-cpp saw, in our words. `last_value` is where the last value stood that was read;
/// `open_bracket` the innermost `[` or `{` not closed.
[[nodiscard]] Diagnostic syntax_error(
    const Source& source,
    const YAML::Exception& error,
    std::size_t last_value,
    std::optional<std::size_t> open_bracket
);

/// Whether the error is a bracket that is never closed: what was read behind it means nothing.
[[nodiscard]] bool is_unclosed_bracket(const YAML::Exception& error);

}  // namespace cordon::yaml
