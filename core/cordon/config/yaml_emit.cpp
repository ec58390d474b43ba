#include <cordon/config/number_text.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/config/yaml/scalar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cordon {
namespace {

/// An implicit key may be 1024 characters long; a longer one needs the form `? key`.
constexpr std::size_t kLongKey = 200;

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{"_./$"}.find(c) != std::string_view::npos;
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F;
    });
}

/// Line separators and the byte order mark are line ends or nothing to some readers.
bool has_invisible(std::string_view text) {
    return text.find("\xC2\x85") != text.npos || text.find("\xE2\x80\xA8") != text.npos ||
           text.find("\xE2\x80\xA9") != text.npos || text.find("\xEF\xBB\xBF") != text.npos;
}

/// Whether YAML reads the text back as one plain scalar, whatever its type.
bool can_be_plain(std::string_view text) {
    if (text.empty() || has_control(text) || has_invisible(text)) {
        return false;
    }
    const bool starts_well = is_word_character(text.front()) || text.front() == '(';
    return starts_well && text.back() != ' ' && text.back() != ':' && !text.starts_with("...") &&
           text.find(": ") == text.npos && text.find(" #") == text.npos;
}

bool can_be_literal_block(std::string_view text) {
    if (text.find('\n') == text.npos || text.front() == ' ' || text.front() == '\n' ||
        text.ends_with("\n\n") || text.find(" \n") != text.npos || has_invisible(text)) {
        return false;
    }
    return std::none_of(text.begin(), text.end(), [](char c) {
        return (static_cast<std::uint8_t>(c) < 0x20 && c != '\n') || c == 0x7F;
    });
}

std::string single_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c;
        if (c == '\'') {
            result += c;
        }
    }
    return result + '\'';
}

std::string double_quoted(std::string_view text) {
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F) {
            result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
        } else if (text.substr(i).starts_with("\xC2\x85")) {
            result += "\\u0085";
            i += 1;
        } else if (text.substr(i).starts_with("\xE2\x80\xA8")) {
            result += "\\u2028";
            i += 2;
        } else if (text.substr(i).starts_with("\xE2\x80\xA9")) {
            result += "\\u2029";
            i += 2;
        } else if (text.substr(i).starts_with("\xEF\xBB\xBF")) {
            result += "\\uFEFF";
            i += 2;
        } else {
            result += c;
        }
    }
    return result + '"';
}

class Emitter {
public:
    std::string document(const Value& value) {
        if (is_block(value)) {
            write_block(value, 0);
        } else {
            text_ += scalar(value, 0) + '\n';
        }
        return std::move(text_);
    }

private:
    static bool is_block(const Value& value) {
        const auto* items = value.as_array();
        const auto* members = value.as_object();
        return (items != nullptr && !items->empty()) || (members != nullptr && !members->empty());
    }

    void write_block(const Value& value, std::size_t indentation) {
        if (const auto* items = value.as_array()) {
            for (const Value& item : *items) {
                indent(indentation);
                write_item(item, indentation);
            }
            return;
        }
        bool is_first = true;
        for (const Member& member : *value.as_object()) {
            if (!std::exchange(is_first, false) || !is_in_line_) {
                indent(indentation);
            }
            is_in_line_ = false;
            write_member(member, indentation);
        }
    }

    /// A mapping starts on the line of its dash; a list in a list starts on the next.
    void write_item(const Value& item, std::size_t indentation) {
        text_ += '-';
        if (!is_block(item)) {
            text_ += ' ' + scalar(item, indentation) + '\n';
        } else if (item.as_object() != nullptr) {
            text_ += ' ';
            is_in_line_ = true;
            write_block(item, indentation + 2);
        } else {
            text_ += '\n';
            write_block(item, indentation + 2);
        }
    }

    void write_member(const Member& member, std::size_t indentation) {
        const std::string key = one_line(member.key);
        if (key.size() > kLongKey) {
            text_ += "? " + key + '\n';
            indent(indentation);
            text_ += ':';
        } else {
            text_ += key + ':';
        }
        if (is_block(member.value)) {
            text_ += '\n';
            write_block(member.value, indentation + 2);
        } else {
            text_ += ' ' + scalar(member.value, indentation) + '\n';
        }
    }

    static std::string one_line(std::string_view text) {
        if (can_be_plain(text) && yaml::resolve_plain(text).as_string() != nullptr &&
            text.find(" ") == text.npos) {
            return std::string{text};
        }
        return has_control(text) || has_invisible(text) ? double_quoted(text) : single_quoted(text);
    }

    static std::string literal_block(std::string_view text, std::size_t indentation) {
        const bool ends_line = text.ends_with('\n');
        std::string result = ends_line ? "|" : "|-";
        std::string_view rest = ends_line ? text.substr(0, text.size() - 1) : text;
        while (true) {
            const std::size_t end = rest.find('\n');
            const std::string_view line = rest.substr(0, end);
            result += '\n';
            if (!line.empty()) {
                result += std::string(indentation, ' ');
                result += line;
            }
            if (end == rest.npos) {
                return result;
            }
            rest.remove_prefix(end + 1);
        }
    }

    static std::string scalar(const Value& value, std::size_t indentation) {
        switch (value.kind()) {
            case Value::Kind::null:
                return "null";
            case Value::Kind::boolean:
                return *value.as_boolean() ? "true" : "false";
            case Value::Kind::number:
                return number(*value.as_number());
            case Value::Kind::string: {
                const std::string& text = *value.as_string();
                if (can_be_literal_block(text)) {
                    return literal_block(text, indentation + 2);
                }
                const bool is_plain =
                    can_be_plain(text) && yaml::resolve_plain(text).as_string() != nullptr;
                return is_plain ? text : one_line(text);
            }
            case Value::Kind::expression: {
                const std::string& source = value.as_expression()->source;
                if (can_be_literal_block(source)) {
                    // Deeper than the tag itself where it follows a dash, because of yaml-cpp.
                    return "!!js " + literal_block(source, indentation + 4);
                }
                return "!!js " + (can_be_plain(source) ? source : one_line(source));
            }
            case Value::Kind::array:
                return "[]";
            case Value::Kind::object:
                return "{}";
        }
        return {};
    }

    static std::string number(double number) {
        if (std::isnan(number)) {
            return ".nan";
        }
        if (std::isinf(number)) {
            return number < 0 ? "-.inf" : ".inf";
        }
        return number == 0 && std::signbit(number) ? "-0.0" : number_text(number);
    }

    void indent(std::size_t indentation) { text_.append(indentation, ' '); }

    std::string text_;
    bool is_in_line_ = false;  // the next member goes on the line that has been started
};

}  // namespace

std::string emit_yaml(const Value& value) {
    return Emitter{}.document(value);
}

}  // namespace cordon
