#include <cordon/base/text.hpp>
#include <cordon/config/expression/js_value.hpp>
#include <cordon/config/expression/regex.hpp>
#include <cordon/config/expression/url.hpp>
#include <cordon/config/number_text.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace cordon::expression {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string array_to_text(const JsArray& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        text += i > 0 ? "," : "";
        text += items[i].is_nullish() ? std::string{} : to_text(items[i]);
    }
    return text;
}

JsValue to_primitive(const JsValue& value) {
    return value.is_object() ? JsValue{std::make_shared<const std::string>(to_text(value))} : value;
}

bool has_only(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

double radix_text_to_number(std::string_view text) {
    const std::string_view digits = text.substr(2);
    switch (text[1]) {
        case 'x':
        case 'X':
            return has_only(digits, "0123456789abcdefABCDEF") ? radix_number(digits, 16) : kNan;
        case 'o':
        case 'O':
            return has_only(digits, "01234567") ? radix_number(digits, 8) : kNan;
        case 'b':
        case 'B':
            return has_only(digits, "01") ? radix_number(digits, 2) : kNan;
        default:
            return kNan;
    }
}

}  // namespace

const JsValue& Invocation::argument(std::size_t index) const {
    static const JsValue kUndefined;
    return index < arguments.size() ? arguments[index] : kUndefined;
}

bool JsValue::is_callable() const {
    if (const auto* host = get_if<const Namespace*>()) {
        return (*host)->call != nullptr || (*host)->construct != nullptr;
    }
    return get_if<BoundPtr>() != nullptr || get_if<ClosurePtr>() != nullptr;
}

bool JsValue::same(const JsValue& other) const {
    const std::string* left = text();
    const std::string* right = other.text();
    if (left != nullptr && right != nullptr) {
        return *left == *right;
    }
    const auto* bound = get_if<BoundPtr>();
    const auto* other_bound = other.get_if<BoundPtr>();
    if (bound != nullptr && other_bound != nullptr) {
        return (*bound)->function == (*other_bound)->function;
    }
    return data_ == other.data_;
}

const JsArray* JsValue::array() const {
    const ArrayPtr* found = get_if<ArrayPtr>();
    return found == nullptr ? nullptr : &(*found)->content;
}

const JsObject* JsValue::object() const {
    const ObjectPtr* found = get_if<ObjectPtr>();
    return found == nullptr ? nullptr : &(*found)->content;
}

std::size_t nesting_of(const JsValue& value) {
    if (const auto* items = value.get_if<ArrayPtr>()) {
        return (*items)->depth;
    }
    if (const auto* members = value.get_if<ObjectPtr>()) {
        return (*members)->depth;
    }
    const auto* bound = value.get_if<BoundPtr>();
    return bound == nullptr ? 0 : nesting_of((*bound)->self);
}

std::size_t weight_of(const JsValue& value) {
    if (const std::string* text = value.text()) {
        return 1 + text->size() / 16;
    }
    if (const auto* items = value.get_if<ArrayPtr>()) {
        return (*items)->weight;
    }
    if (const auto* members = value.get_if<ObjectPtr>()) {
        return (*members)->weight;
    }
    const auto* bound = value.get_if<BoundPtr>();
    return bound == nullptr ? 1 : 1 + weight_of((*bound)->self);
}

std::string_view type_of(const JsValue& value) {
    if (value.is_undefined()) {
        return "undefined";
    }
    if (value.get_if<bool>() != nullptr) {
        return "boolean";
    }
    if (value.get_if<double>() != nullptr) {
        return "number";
    }
    if (value.text() != nullptr) {
        return "string";
    }
    return value.is_callable() ? "function" : "object";
}

std::string_view described(const JsValue& value) {
    if (value.is_nullish()) {
        return value.is_undefined() ? "undefined" : "null";
    }
    if (value.array() != nullptr) {
        return "an array";
    }
    if (value.text() != nullptr) {
        return "a string";
    }
    if (value.get_if<double>() != nullptr) {
        return "a number";
    }
    if (value.get_if<bool>() != nullptr) {
        return "a boolean";
    }
    return value.is_callable() ? "a function" : "an object";
}

bool is_truthy(const JsValue& value) {
    if (const bool* boolean = value.get_if<bool>()) {
        return *boolean;
    }
    if (const double* number = value.get_if<double>()) {
        return *number != 0 && !std::isnan(*number);
    }
    if (const std::string* text = value.text()) {
        return !text->empty();
    }
    return !value.is_nullish();
}

double text_to_number(std::string_view text) {
    text = trim(text);
    if (text.empty()) {
        return 0;
    }
    if (text.size() > 2 && text[0] == '0' && (text[1] < '0' || text[1] > '9') && text[1] != '.' &&
        text[1] != 'e' && text[1] != 'E') {
        return radix_text_to_number(text);
    }
    const double sign = text[0] == '-' ? -1 : 1;
    if (text[0] == '-' || text[0] == '+') {
        text.remove_prefix(1);
    }
    if (text == "Infinity") {
        return sign * std::numeric_limits<double>::infinity();
    }
    const std::size_t length = decimal_length(text);
    return length > 0 && length == text.size() ? sign * decimal_number(text) : kNan;
}

double to_number(const JsValue& value) {
    if (const double* number = value.get_if<double>()) {
        return *number;
    }
    if (const bool* boolean = value.get_if<bool>()) {
        return *boolean ? 1 : 0;
    }
    if (value.is_nullish()) {
        return value.is_undefined() ? kNan : 0;
    }
    return text_to_number(to_text(value));
}

std::string to_text(const JsValue& value) {
    if (const std::string* text = value.text()) {
        return *text;
    }
    if (const double* number = value.get_if<double>()) {
        return number_text(*number);
    }
    if (const bool* boolean = value.get_if<bool>()) {
        return *boolean ? "true" : "false";
    }
    if (value.is_nullish()) {
        return value.is_undefined() ? "undefined" : "null";
    }
    if (const JsArray* items = value.array()) {
        return array_to_text(*items);
    }
    if (const auto* url = value.get_if<UrlPtr>()) {
        return (*url)->href();
    }
    if (const auto* error = value.get_if<ErrorPtr>()) {
        return (*error)->message.empty() ? (*error)->name
                                         : (*error)->name + ": " + (*error)->message;
    }
    if (const auto* regex = value.get_if<RegexPtr>()) {
        return (*regex)->text();
    }
    return "[object Object]";
}

bool loosely_equal(const JsValue& left, const JsValue& right) {
    if (left.is_nullish() || right.is_nullish()) {
        return left.is_nullish() && right.is_nullish();
    }
    if (left.is_object() && right.is_object()) {
        return left.same(right);
    }
    const JsValue a = to_primitive(left);
    const JsValue b = to_primitive(right);
    const bool are_texts = a.text() != nullptr && b.text() != nullptr;
    return are_texts ? a.same(b) : to_number(a) == to_number(b);
}

}  // namespace cordon::expression
