#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/lexer.hpp>
#include <cordon/config/expression/utf.hpp>
#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace cordon::expression {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

// Longest first, so that the first match is the right one.
constexpr std::array<std::string_view, 57> kPunctuators{
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=", "=>",
    "==",   "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",  "+=",   "-=",
    "*=",   "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**",  "{",   "}",    "(",
    ")",    "[",   "]",   ".",   ";",   ",",   "<",   ">",   "+",   "-",   "*",    "/",
    "%",    "&",   "|",   "^",   "!",   "~",   "?",   ":",   "="};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<std::uint8_t>(c) >= 0x80;
}

bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

Token Lexer::token(std::size_t offset) const {
    bool starts_line = false;
    offset = skip_blank(offset, starts_line);
    Token result;
    result.offset = result.end = offset;
    if (offset < source_.size()) {
        const char c = source_[offset];
        const bool is_fraction =
            c == '.' && offset + 1 < source_.size() && is_digit(source_[offset + 1]);
        if (is_name_start(c)) {
            result = name(offset);
        } else if (is_digit(c) || is_fraction) {
            result = number(offset);
        } else if (c == '\'' || c == '"') {
            result = text(offset);
        } else {
            result = punctuator(offset);
        }
    }
    result.starts_line = starts_line;
    return result;
}

std::size_t Lexer::skip_blank(std::size_t offset, bool& starts_line) const {
    while (offset < source_.size()) {
        const char c = source_[offset];
        if (c == '\n' || c == '\r') {
            starts_line = true;
            ++offset;
        } else if (c == ' ' || c == '\t') {
            ++offset;
        } else if (source_.substr(offset).starts_with("\xC2\xA0")) {
            offset += 2;
        } else if (source_.substr(offset).starts_with("//") || source_.substr(offset).starts_with("/*")) {
            const std::size_t end = skip_comment(offset);
            starts_line |=
                source_.substr(offset, end - offset).find('\n') != std::string_view::npos;
            offset = end;
        } else {
            break;
        }
    }
    return offset;
}

std::size_t Lexer::skip_comment(std::size_t offset) const {
    if (source_[offset + 1] == '/') {
        return std::min(source_.find('\n', offset), source_.size());
    }
    const std::size_t end = source_.find("*/", offset + 2);
    if (end == std::string_view::npos) {
        refuse(offset, "expected '*/' at the end of the comment, found the end of the expression");
    }
    return end + 2;
}

Token Lexer::name(std::size_t offset) const {
    Token result;
    result.kind = TokenKind::name;
    result.offset = offset;
    result.end = offset;
    while (result.end < source_.size() && is_name_part(source_[result.end])) {
        ++result.end;
    }
    result.text = source_.substr(offset, result.end - offset);
    return result;
}

Token Lexer::number(std::size_t offset) const {
    Token result;
    result.kind = TokenKind::number;
    result.offset = offset;
    const std::string_view rest = source_.substr(offset);
    const bool is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    if (is_hex) {
        const std::size_t end = std::min(rest.find_first_not_of(kHexDigits, 2), rest.size());
        result.number = radix_number(rest.substr(2, end - 2), 16);
        result.end = offset + end;
    } else {
        const std::size_t length = decimal_length(rest);
        result.number = decimal_number(rest.substr(0, length));
        result.end = offset + length;
    }
    const bool is_octal = rest.size() > 1 && rest[0] == '0' && is_digit(rest[1]);
    const bool goes_on = result.end < source_.size() && is_name_part(source_[result.end]);
    if (is_octal || goes_on || (is_hex && result.end == offset + 2)) {
        refuse(
            offset,
            "expected a decimal or hexadecimal number, found another form",
            "Write digits alone: no '_', no 'n', no leading zero"
        );
    }
    return result;
}

Token Lexer::text(std::size_t offset) const {
    Token result;
    result.kind = TokenKind::text;
    result.offset = offset;
    std::size_t at = offset + 1;
    while (at < source_.size() && source_[at] != source_[offset] && source_[at] != '\n') {
        if (source_[at] == '\\') {
            at = escape(at, result.text);
        } else {
            result.text += source_[at++];
        }
    }
    if (at >= source_.size() || source_[at] == '\n') {
        refuse(offset, "expected a closing quote, found the end of the line", "Close the text");
    }
    result.end = at + 1;
    return result;
}

Token Lexer::punctuator(std::size_t offset) const {
    const std::string_view rest = source_.substr(offset);
    for (const std::string_view known : kPunctuators) {
        const bool is_conditional = known == "?." && rest.size() > 2 && is_digit(rest[2]);
        if (rest.starts_with(known) && !is_conditional) {
            Token result;
            result.kind = TokenKind::punctuator;
            result.offset = offset;
            result.end = offset + known.size();
            result.text = known;
            return result;
        }
    }
    if (rest.starts_with('`')) {
        Token result;
        result.kind = TokenKind::punctuator;
        result.offset = offset;
        result.end = offset + 1;
        result.text = "`";
        return result;
    }
    refuse(offset, fmt::format("expected an expression, found '{}'", rest[0]));
}

std::size_t Lexer::escape(std::size_t offset, std::string& out) const {
    constexpr std::string_view kNames = "nrtbfv0";
    constexpr std::string_view kCharacters{"\n\r\t\b\f\v\0", 7};
    if (offset + 1 >= source_.size()) {
        refuse(offset, "expected an escape, found the end of the expression");
    }
    const char c = source_[offset + 1];
    if (c == 'x') {
        append_character(out, hex(offset + 2, 2));
        return offset + 4;
    }
    if (c == 'u') {
        return unicode_escape(offset, out);
    }
    const bool is_octal =
        is_digit(c) && (c != '0' || (offset + 2 < source_.size() && is_digit(source_[offset + 2])));
    if (is_octal) {
        refuse(offset, "expected an escape, found an octal one", "Write it as '\\xNN'");
    }
    if (const std::size_t known = kNames.find(c); known != std::string_view::npos) {
        out += kCharacters[known];
    } else if (c != '\n') {  // an escaped line end stands for nothing
        out += c;
    }
    return offset + 2;
}

std::size_t Lexer::unicode_escape(std::size_t offset, std::string& out) const {
    if (offset + 2 < source_.size() && source_[offset + 2] == '{') {
        const std::size_t close = source_.find('}', offset);
        const std::size_t length = close == std::string_view::npos ? 0 : close - offset - 3;
        const unsigned character = length <= 6 ? hex(offset + 3, length) : 0x110000;
        if (character > 0x10FFFF) {
            refuse(offset, "expected a character up to U+10FFFF, found a larger one");
        }
        append_character(out, character);
        return close + 1;
    }
    const unsigned first = hex(offset + 2, 4);
    if (first < 0xD800 || first > 0xDFFF) {
        append_character(out, first);
        return offset + 6;
    }
    const bool is_pair = first < 0xDC00 && source_.substr(offset + 6).starts_with("\\u");
    const unsigned second = is_pair ? hex(offset + 8, 4) : 0;
    if (second < 0xDC00 || second > 0xDFFF) {
        refuse(offset, "expected a character, found half of a surrogate pair");
    }
    append_character(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    return offset + 12;
}

unsigned Lexer::hex(std::size_t begin, std::size_t length) const {
    const std::string_view digits =
        begin <= source_.size() ? source_.substr(begin, length) : std::string_view{};
    if (length == 0 || digits.size() != length ||
        digits.find_first_not_of(kHexDigits) != std::string_view::npos) {
        refuse(begin - 2, "expected hexadecimal digits in the escape, found other characters");
    }
    return static_cast<unsigned>(radix_number(digits, 16));
}

Lexer::TemplateChunk Lexer::template_chunk(std::size_t offset) const {
    TemplateChunk chunk;
    std::size_t at = offset;
    while (at < source_.size()) {
        if (source_[at] == '`') {
            chunk.is_last = true;
            chunk.end = at + 1;
            return chunk;
        }
        if (source_.substr(at).starts_with("${")) {
            chunk.end = at + 2;
            return chunk;
        }
        if (source_[at] == '\\') {
            at = escape(at, chunk.text);
        } else {
            chunk.text += source_[at++];
        }
    }
    refuse(offset, "expected a closing '`', found the end of the expression", "Close the template");
}

Lexer::RegexText Lexer::regex(std::size_t offset) const {
    RegexText result;
    bool is_in_class = false;
    std::size_t at = offset + 1;
    for (; at < source_.size() && source_[at] != '\n'; ++at) {
        const char c = source_[at];
        if (c == '/' && !is_in_class) {
            break;
        }
        is_in_class = c == '[' || (is_in_class && c != ']');
        if (c == '\\' && at + 1 < source_.size()) {
            result.pattern += c;
            ++at;
        }
        result.pattern += source_[at];
    }
    if (at >= source_.size() || source_[at] != '/') {
        refuse(
            offset, "expected a closing '/' of the regular expression, found the end of the line"
        );
    }
    for (++at; at < source_.size() && is_name_part(source_[at]); ++at) {
        result.flags += source_[at];
    }
    result.end = at;
    return result;
}

}  // namespace cordon::expression
