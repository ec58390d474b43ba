#include <cordon/base/text.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/config/yaml/source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace cordon::yaml {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kEndsOfProperty = " \t\n,[]{}";

std::string normalised(std::string_view bytes) {
    if (bytes.starts_with(kByteOrderMark)) {
        bytes.remove_prefix(kByteOrderMark.size());
    }
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != '\r') {
            text += bytes[i];
        } else if (i + 1 == bytes.size() || bytes[i + 1] != '\n') {
            text += '\n';
        }
    }
    return text;
}

bool is_control(char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
}

[[noreturn]] void refuse(Place place, std::string problem, std::string hint) {
    throw DiagnosticError{
        Diagnostic{Severity::error, std::move(place), {}, std::move(problem), std::move(hint)}};
}

void check_encoding(std::string_view bytes, const std::string& file) {
    const std::optional<std::size_t> offset = invalid_utf8_offset(bytes);
    if (!offset) {
        return;
    }
    const auto before = bytes.substr(0, *offset);
    const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    refuse(
        Place{file, line, 0},
        fmt::format(
            "expected UTF-8, found the byte 0x{:02X} at offset {}",
            static_cast<std::uint8_t>(bytes[*offset]),
            *offset
        ),
        "Save the file as UTF-8"
    );
}

}  // namespace

Source::Source(std::string_view bytes, const std::string& file)
    : file_(std::make_shared<const std::string>(file)) {
    if (bytes.size() > kMaxYamlBytes) {
        refuse(
            Place{file},
            fmt::format("expected at most {} bytes, found {}", kMaxYamlBytes, bytes.size()),
            "Split the file"
        );
    }
    check_encoding(bytes, file);
    text_ = normalised(bytes);
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') {
            line_starts_.push_back(i + 1);
        }
    }
    const auto control = std::find_if(text_.begin(), text_.end(), is_control);
    if (control != text_.end()) {
        refuse(
            place(static_cast<std::size_t>(control - text_.begin())),
            fmt::format(
                "expected text, found the control character 0x{:02X}",
                static_cast<std::uint8_t>(*control)
            ),
            "Remove it, or write it as an escape in double quotes"
        );
    }
}

Mark Source::mark(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto line = static_cast<std::size_t>(next - line_starts_.begin()) - 1;
    if (line != known_line_ || offset < known_offset_) {
        known_line_ = line;
        known_offset_ = line_starts_[line];
        known_column_ = 1;
    }
    for (; known_offset_ < offset; ++known_offset_) {
        // Every byte that does not continue a character.
        known_column_ +=
            (static_cast<std::uint8_t>(text_[known_offset_]) & 0xC0U) != 0x80U ? 1U : 0U;
    }
    Mark result;
    result.file = file_;
    result.line = static_cast<std::uint32_t>(line + 1);
    result.column = known_column_;
    return result;
}

std::size_t Source::line_start(std::size_t offset) const {
    return *(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1);
}

std::string_view Source::line(std::size_t offset) const {
    const std::size_t start = line_start(std::min(offset, text_.size()));
    const std::string_view from = std::string_view{text_}.substr(start);
    return from.substr(0, from.find('\n'));
}

bool Source::is_indented_by_tab(std::size_t offset) const {
    const std::string_view text = line(offset);
    return text.substr(0, text.find_first_not_of(kBlanks)).find('\t') != std::string_view::npos;
}

std::size_t Source::content(std::size_t offset) const {
    while (offset < text_.size() && (text_[offset] == '!' || text_[offset] == '&')) {
        const bool is_verbatim = std::string_view{text_}.substr(offset, 2) == "!<";
        offset =
            is_verbatim ? text_.find('>', offset) : text_.find_first_of(kEndsOfProperty, offset);
        offset = std::min(offset, text_.size());
        offset = skip_blank(is_verbatim && offset < text_.size() ? offset + 1 : offset);
    }
    return offset;
}

ScalarStyle Source::style(std::size_t content) const {
    if (content >= text_.size()) {
        return ScalarStyle::empty;
    }
    switch (text_[content]) {
        case '\'':
            return ScalarStyle::single_quoted;
        case '"':
            return ScalarStyle::double_quoted;
        case '|':
        case '>':
            return ScalarStyle::block;
        default:
            return ScalarStyle::plain;
    }
}

std::size_t Source::quote_end(std::size_t content) const {
    const char quote = text_[content];
    for (std::size_t i = content + 1; i < text_.size(); ++i) {
        if (quote == '"' && text_[i] == '\\') {
            ++i;
        } else if (text_[i] == quote) {
            if (quote != '\'' || i + 1 >= text_.size() || text_[i + 1] != '\'') {
                return i + 1;
            }
            ++i;
        }
    }
    return std::string::npos;
}

std::size_t Source::scalar_text(std::size_t content) const {
    switch (style(content)) {
        case ScalarStyle::single_quoted:
        case ScalarStyle::double_quoted:
            return content + 1;
        case ScalarStyle::block: {
            const std::size_t header_end = text_.find('\n', content);
            const std::size_t first = text_.find_first_not_of(" \n", header_end);
            return first == std::string::npos ? content : first;
        }
        case ScalarStyle::empty:
        case ScalarStyle::plain:
            break;
    }
    return content;
}

std::size_t Source::skip_blank(std::size_t offset) const {
    while (offset < text_.size()) {
        if (text_[offset] == '#') {
            offset = std::min(text_.find('\n', offset), text_.size());
        } else if (std::string_view{" \t\n"}.find(text_[offset]) != std::string_view::npos) {
            ++offset;
        } else {
            break;
        }
    }
    return offset;
}

std::string_view Source::rest(std::size_t offset) const {
    int depth = 0;
    std::size_t end = offset;
    for (; end < text_.size() && text_[end] != '\n'; ++end) {
        const char c = text_[end];
        const bool is_comment =
            c == '#' && end > offset && kBlanks.find(text_[end - 1]) != kBlanks.npos;
        depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
        depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
        if (is_comment || depth < 0) {
            break;
        }
    }
    return trim(std::string_view{text_}.substr(offset, end - offset));
}

std::string quoted(std::string_view text) {
    if (text.find_first_of("\"\\") == std::string_view::npos) {
        return fmt::format("\"{}\"", text);
    }
    std::string result = "'";
    for (const char c : text) {
        result += c;
        if (c == '\'') {
            result += c;
        }
    }
    return result + "'";
}

}  // namespace cordon::yaml
