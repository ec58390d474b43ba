#pragma once

#include <cordon/config/value.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::yaml {

enum class ScalarStyle { empty, plain, single_quoted, double_quoted, block };

/// The text of one file as the parser sees it: without byte order mark, every line end a newline.
/// Answers what yaml-cpp's events do not say: places counted in characters, how a scalar was
/// written, whether a quote was closed. Offsets are byte offsets into `text()`.
class Source {
public:
    /// Errors: `DiagnosticError` where the text is larger than `kMaxYamlBytes`, no UTF-8, or holds
    /// NUL or another control character.
    Source(std::string_view bytes, const std::string& file);

    [[nodiscard]] const std::string& text() const { return text_; }

    [[nodiscard]] Mark mark(std::size_t offset) const;

    [[nodiscard]] Place place(std::size_t offset) const { return mark(offset).place(); }

    [[nodiscard]] std::size_t line_start(std::size_t offset) const;

    /// Without the newline.
    [[nodiscard]] std::string_view line(std::size_t offset) const;

    /// Whether a tab stands among the blanks that start the line.
    [[nodiscard]] bool is_indented_by_tab(std::size_t offset) const;

    /// Where the content of a node starts whose tag or anchor may stand at `offset`.
    [[nodiscard]] std::size_t content(std::size_t offset) const;

    [[nodiscard]] ScalarStyle style(std::size_t content) const;

    [[nodiscard]] bool is_quoted_or_block(std::size_t content) const {
        return style(content) > ScalarStyle::plain;
    }

    /// Behind the closing quote of the quoted scalar at `content`; npos where it is not closed.
    [[nodiscard]] std::size_t quote_end(std::size_t content) const;

    /// The first character of the text of the scalar at `content`: behind the quote, or at the
    /// first line of a block scalar.
    [[nodiscard]] std::size_t scalar_text(std::size_t content) const;

    /// Past blanks, line ends and comments.
    [[nodiscard]] std::size_t skip_blank(std::size_t offset) const;

    /// What stands from `offset` to the end of the line, without a comment and, where brackets
    /// around it close, no further than that.
    [[nodiscard]] std::string_view rest(std::size_t offset) const;

private:
    std::string text_;
    std::shared_ptr<const std::string> file_;
    std::vector<std::size_t> line_starts_;
    // The last answer of mark(): events come in order, so a long line is counted only once.
    mutable std::size_t known_offset_ = 0;
    mutable std::size_t known_line_ = 0;
    mutable std::uint32_t known_column_ = 1;
};

/// `text` as one quoted YAML scalar on one line, the way a person would write it.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace cordon::yaml
