#include <cordon/base/text.hpp>
#include <cordon/config/number_text.hpp>
#include <cordon/config/yaml/scalar.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace cordon::yaml {
namespace {

constexpr std::string_view kCorePrefix = "tag:yaml.org,2002:";

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_null(std::string_view text) {
    return is_one_of<4>(text, {"~", "null", "Null", "NULL"});
}

std::optional<bool> as_boolean(std::string_view text) {
    if (is_one_of<3>(text, {"true", "True", "TRUE"})) {
        return true;
    }
    if (is_one_of<3>(text, {"false", "False", "FALSE"})) {
        return false;
    }
    return std::nullopt;
}

bool has_only(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::optional<double> as_unsigned_integer(std::string_view text) {
    if (text.size() > 1 && text[0] == '0') {
        const std::string_view digits = text.substr(2);
        switch (text[1]) {
            case 'b':
                return has_only(digits, "01") ? std::optional{radix_number(digits, 2)}
                                              : std::nullopt;
            case 'o':
                return has_only(digits, "01234567") ? std::optional{radix_number(digits, 8)}
                                                    : std::nullopt;
            case 'x':
                return has_only(digits, "0123456789abcdefABCDEF")
                           ? std::optional{radix_number(digits, 16)}
                           : std::nullopt;
            default:
                break;
        }
    }
    return has_only(text, "0123456789") ? std::optional{decimal_number(text)} : std::nullopt;
}

std::optional<double> as_integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    const bool has_sign = negative || text.starts_with('+');
    const std::optional<double> magnitude = as_unsigned_integer(text.substr(has_sign ? 1 : 0));
    if (!magnitude) {
        return std::nullopt;
    }
    return negative && *magnitude != 0 ? -*magnitude : *magnitude;
}

std::optional<double> as_float(std::string_view text) {
    if (is_one_of<3>(text, {".nan", ".NaN", ".NAN"})) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const bool negative = text.starts_with('-');
    const bool has_sign = negative || text.starts_with('+');
    const std::string_view magnitude = text.substr(has_sign ? 1 : 0);
    if (is_one_of<3>(magnitude, {".inf", ".Inf", ".INF"})) {
        const double infinity = std::numeric_limits<double>::infinity();
        return negative ? -infinity : infinity;
    }
    // js-yaml reads `.5` as a number, but `-.5` and `+.5` as texts.
    if ((has_sign && magnitude.starts_with('.')) || magnitude.empty() ||
        decimal_length(magnitude) != magnitude.size()) {
        return std::nullopt;
    }
    return negative ? -decimal_number(magnitude) : decimal_number(magnitude);
}

template <typename T>
std::optional<Value> as_value(const std::optional<T>& value) {
    return value ? std::optional{Value{*value}} : std::nullopt;
}

}  // namespace

Value resolve_plain(std::string_view text) {
    if (text.empty() || is_null(text)) {
        return Value{};
    }
    if (const auto boolean = as_boolean(text)) {
        return Value{*boolean};
    }
    if (const auto integer = as_integer(text)) {
        return Value{*integer};
    }
    if (const auto number = as_float(text)) {
        return Value{*number};
    }
    return Value{text};
}

std::optional<Value> resolve_tagged(std::string_view tag, std::string_view text) {
    const std::string_view type = tag.substr(kCorePrefix.size());
    if (type == "str") {
        return Value{text};
    }
    if (type == "int") {
        return as_value(as_integer(text));
    }
    if (type == "float") {
        const auto number = as_float(text);
        return as_value(number ? number : as_integer(text));
    }
    if (type == "bool") {
        return as_value(as_boolean(text));
    }
    return text.empty() || is_null(text) ? std::optional{Value{}} : std::nullopt;
}

bool is_core_scalar_tag(std::string_view tag) {
    return tag.starts_with(kCorePrefix) &&
           is_one_of<5>(tag.substr(kCorePrefix.size()), {"str", "int", "float", "bool", "null"});
}

std::string repaired(std::string_view text) {
    std::string result;
    while (const std::optional<std::size_t> offset = invalid_utf8_offset(text)) {
        result += text.substr(0, *offset);
        result += '\xC2';  // U+0085 and U+00A0 are this byte and the one that stands alone
        result += text[*offset];
        text.remove_prefix(*offset + 1);
    }
    return result.append(text);
}

std::string key_text(const Value& scalar) {
    if (const std::string* text = scalar.as_string()) {
        return *text;
    }
    if (const double* number = scalar.as_number()) {
        return number_text(*number);
    }
    if (const bool* boolean = scalar.as_boolean()) {
        return *boolean ? "true" : "false";
    }
    return "null";
}

std::string short_tag(std::string_view tag) {
    return tag.starts_with(kCorePrefix) ? "!!" + std::string{tag.substr(kCorePrefix.size())}
                                        : std::string{tag};
}

}  // namespace cordon::yaml
