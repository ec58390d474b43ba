#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::expression {

enum class TokenKind { end, name, number, text, punctuator };

struct Token {
    TokenKind kind = TokenKind::end;
    std::size_t offset = 0;
    std::size_t end = 0;
    /// The name, the punctuator, or the content of a text with its escapes resolved.
    std::string text;
    double number = 0;
    bool starts_line = false;

    [[nodiscard]] bool is(std::string_view punctuator) const {
        return kind == TokenKind::punctuator && text == punctuator;
    }

    [[nodiscard]] bool is_name(std::string_view name) const {
        return kind == TokenKind::name && text == name;
    }
};

/// Splits the text of an expression into tokens, on demand: only the parser knows whether `/`
/// divides or starts a regular expression, and where a template goes on.
///
/// Errors: `Refusal`.
class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source) {}

    /// The token at or behind `offset`.
    [[nodiscard]] Token token(std::size_t offset) const;

    struct TemplateChunk {
        std::string text;
        std::size_t end = 0;
        bool is_last = false;
    };

    /// The literal part of a template from `offset` to `${` or the closing backtick; `end` is
    /// behind either.
    [[nodiscard]] TemplateChunk template_chunk(std::size_t offset) const;

    struct RegexText {
        std::string pattern;
        std::string flags;
        std::size_t end = 0;
    };

    /// The regular expression whose first slash stands at `offset`.
    [[nodiscard]] RegexText regex(std::size_t offset) const;

    [[nodiscard]] std::string_view source() const { return source_; }

private:
    [[nodiscard]] std::size_t skip_blank(std::size_t offset, bool& starts_line) const;
    [[nodiscard]] std::size_t skip_comment(std::size_t offset) const;
    [[nodiscard]] Token name(std::size_t offset) const;
    [[nodiscard]] Token number(std::size_t offset) const;
    [[nodiscard]] Token text(std::size_t offset) const;
    [[nodiscard]] Token punctuator(std::size_t offset) const;
    /// Appends what the escape behind the backslash at `offset` stands for; returns its end.
    std::size_t escape(std::size_t offset, std::string& out) const;
    std::size_t unicode_escape(std::size_t offset, std::string& out) const;
    [[nodiscard]] unsigned hex(std::size_t begin, std::size_t length) const;

    std::string_view source_;
};

[[nodiscard]] bool is_name_start(char c);
[[nodiscard]] bool is_name_part(char c);

}  // namespace cordon::expression
