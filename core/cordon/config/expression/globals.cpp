#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/json_text.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/url.hpp>
#include <cordon/config/expression/utf.hpp>
#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// The global objects and functions of JavaScript.
namespace cordon::expression {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMaxSafe = 9007199254740991.0;

double number_argument(const Invocation& call, std::size_t index) {
    return to_number(call.argument(index));
}

JsValue text(const Invocation& call, std::string content) {
    return call.evaluator.text(std::move(content), call.offset);
}

// Number

JsValue number_call(const Invocation& call) {
    return call.arguments.empty() ? 0.0 : number_argument(call, 0);
}

const double* as_number(const Invocation& call) {
    return call.argument(0).get_if<double>();
}

JsValue number_is_finite(const Invocation& call) {
    return as_number(call) != nullptr && std::isfinite(*as_number(call));
}

JsValue number_is_nan(const Invocation& call) {
    return as_number(call) != nullptr && std::isnan(*as_number(call));
}

bool is_whole(double number) {
    return std::isfinite(number) && std::trunc(number) == number;
}

JsValue number_is_integer(const Invocation& call) {
    return as_number(call) != nullptr && is_whole(*as_number(call));
}

JsValue number_is_safe_integer(const Invocation& call) {
    const double* number = as_number(call);
    return number != nullptr && is_whole(*number) && std::fabs(*number) <= kMaxSafe;
}

std::string_view without_leading_blanks(std::string_view text) {
    while (!text.empty()) {
        std::size_t next = 0;
        if (!is_blank(decode_character(text, next))) {
            break;
        }
        text.remove_prefix(next);
    }
    return text;
}

JsValue parse_float(const Invocation& call) {
    const std::string whole = shown(call.argument(0), call.offset);
    std::string_view text = without_leading_blanks(whole);
    const double sign = text.starts_with('-') ? -1 : 1;
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    if (text.starts_with("Infinity")) {
        return sign * std::numeric_limits<double>::infinity();
    }
    const std::size_t length = decimal_length(text);
    return length == 0 ? kNan : sign * decimal_number(text.substr(0, length));
}

JsValue parse_int(const Invocation& call) {
    const std::string whole = shown(call.argument(0), call.offset);
    std::string_view text = without_leading_blanks(whole);
    const double sign = text.starts_with('-') ? -1 : 1;
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double radix = integer_argument(call, 1, 0);
    const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
    if (has_prefix && (radix == 0 || radix == 16)) {
        text.remove_prefix(2);
        radix = 16;
    }
    radix = radix == 0 ? 10 : radix;
    if (radix < 2 || radix > 36) {
        return kNan;
    }
    const auto is_digit = [&](char c) {
        const int value = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 10
                          : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                                 : 99;
        return value < radix;
    };
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (digits.empty()) {
        return kNan;
    }
    return sign *
           (radix == 10 ? decimal_number(digits) : radix_number(digits, static_cast<int>(radix)));
}

std::optional<JsValue> number_property(Evaluator& /*evaluator*/, std::string_view name) {
    if (name == "MAX_SAFE_INTEGER") {
        return kMaxSafe;
    }
    if (name == "MIN_SAFE_INTEGER") {
        return -kMaxSafe;
    }
    return std::nullopt;
}

JsValue number_to_string(const Invocation& call) {
    if (!call.argument(0).is_undefined() && number_argument(call, 0) != 10) {
        refuse(call.offset, "toString with another base than 10 is not supported in expressions");
    }
    return text(call, to_text(call.self));
}

JsValue number_to_fixed(const Invocation& call) {
    const double digits = integer_argument(call, 0, 0);
    const double number = to_number(call.self);
    if (digits < 0 || digits > 100) {
        throw_error(
            call.offset, "RangeError", "toFixed() digits argument must be between 0 and 100"
        );
    }
    if (!std::isfinite(number) || std::fabs(number) >= 1e21) {
        return text(call, number_text(number));
    }
    return text(call, fmt::format("{:.{}f}", number == 0 ? 0.0 : number, static_cast<int>(digits)));
}

JsValue is_nan(const Invocation& call) {
    return std::isnan(number_argument(call, 0));
}

JsValue is_finite(const Invocation& call) {
    return std::isfinite(number_argument(call, 0));
}

// String, Boolean

JsValue string_call(const Invocation& call) {
    return text(call, call.arguments.empty() ? "" : shown(call.argument(0), call.offset));
}

JsValue from_code_point(const Invocation& call) {
    std::string result;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const double code = number_argument(call, i);
        const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (!is_whole(code) || code < 0 || code > 0x10FFFF || is_surrogate) {
            throw_error(call.offset, "RangeError", "Invalid code point");
        }
        append_character(result, static_cast<char32_t>(code));
    }
    return text(call, std::move(result));
}

JsValue boolean_call(const Invocation& call) {
    return is_truthy(call.argument(0));
}

// Math

template <double (*Function)(double)>
JsValue math(const Invocation& call) {
    return Function(number_argument(call, 0));
}

double rounded(double number) {
    return std::floor(number + 0.5);
}

double floor_of(double number) {
    return std::floor(number);
}

double ceil_of(double number) {
    return std::ceil(number);
}

double trunc_of(double number) {
    return std::trunc(number);
}

double abs_of(double number) {
    return std::fabs(number);
}

template <bool IsMaximum>
JsValue math_extreme(const Invocation& call) {
    const double infinity = std::numeric_limits<double>::infinity();
    double result = IsMaximum ? -infinity : infinity;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const double number = number_argument(call, i);
        if (std::isnan(number)) {
            return kNan;
        }
        result = IsMaximum ? std::max(result, number) : std::min(result, number);
    }
    return result;
}

// Object, Array

void require_object(const Invocation& call) {
    if (call.argument(0).is_nullish()) {
        throw_error(call.offset, "TypeError", "Cannot convert undefined or null to object");
    }
}

JsValue object_entries(const Invocation& call) {
    require_object(call);
    JsArray entries;
    for (auto& [key, value] : own_members(call.evaluator, call.argument(0), call.offset)) {
        entries.push_back(call.evaluator.array(JsArray{text(call, key), value}, call.offset));
    }
    return call.evaluator.array(std::move(entries), call.offset);
}

JsValue object_keys(const Invocation& call) {
    require_object(call);
    JsArray keys;
    for (auto& [key, value] : own_members(call.evaluator, call.argument(0), call.offset)) {
        keys.push_back(text(call, key));
    }
    return call.evaluator.array(std::move(keys), call.offset);
}

JsValue object_values(const Invocation& call) {
    require_object(call);
    JsArray values;
    for (auto& [key, value] : own_members(call.evaluator, call.argument(0), call.offset)) {
        values.push_back(std::move(value));
    }
    return call.evaluator.array(std::move(values), call.offset);
}

JsValue object_from_entries(const Invocation& call) {
    const JsArray* entries = call.argument(0).array();
    if (entries == nullptr) {
        throw_error(
            call.offset, "TypeError", fmt::format("{} is not iterable", described(call.argument(0)))
        );
    }
    JsObject members;
    for (const JsValue& entry : *entries) {
        const JsArray* pair = entry.array();
        if (pair == nullptr) {
            throw_error(call.offset, "TypeError", "Iterator value is not an entry object");
        }
        const JsValue key = pair->empty() ? JsValue{} : (*pair)[0];
        call.evaluator.spend(1 + members.size() / 8, call.offset);
        set_member(members, shown(key, call.offset), pair->size() > 1 ? (*pair)[1] : JsValue{});
    }
    return call.evaluator.object(std::move(members), call.offset);
}

JsValue array_is_array(const Invocation& call) {
    return call.argument(0).array() != nullptr;
}

// URL, URI components, errors

JsValue new_url(const Invocation& call) {
    std::optional<Url> base;
    if (!call.argument(1).is_undefined()) {
        base = url_argument(call, 1);
    }
    const std::string whole = shown(call.argument(0), call.offset);
    std::optional<Url> url = parse_url(whole, base ? &*base : nullptr);
    if (!url) {
        throw_error(
            call.offset,
            "TypeError",
            "Invalid URL",
            base ? "Check the text" : "Give a base for a relative URL: new URL(x, baseUrl)"
        );
    }
    return std::make_shared<const Url>(*std::move(url));
}

JsValue url_to_string(const Invocation& call) {
    return text(call, to_text(call.self));
}

JsValue decode_uri_component(const Invocation& call) {
    const std::optional<std::string> decoded =
        percent_decoded(shown(call.argument(0), call.offset));
    if (!decoded) {
        throw_error(call.offset, "URIError", "URI malformed");
    }
    return text(call, *decoded);
}

JsValue encode_uri_component(const Invocation& call) {
    return text(call, percent_encoded(shown(call.argument(0), call.offset), "-_.!~*'()"));
}

JsValue make_error(const Invocation& call, std::string name) {
    std::string message =
        call.argument(0).is_undefined() ? std::string{} : shown(call.argument(0), call.offset);
    return std::make_shared<const ErrorObject>(ErrorObject{std::move(name), std::move(message)});
}

JsValue plain_error(const Invocation& call) {
    return make_error(call, "Error");
}

JsValue type_error(const Invocation& call) {
    return make_error(call, "TypeError");
}

JsValue range_error(const Invocation& call) {
    return make_error(call, "RangeError");
}

constexpr std::array kNumberFunctions{
    NativeFunction{"isFinite", number_is_finite},
    NativeFunction{"isInteger", number_is_integer},
    NativeFunction{"isNaN", number_is_nan},
    NativeFunction{"isSafeInteger", number_is_safe_integer},
    NativeFunction{"parseFloat", parse_float},
    NativeFunction{"parseInt", parse_int}};

constexpr std::array kStringFunctions{
    NativeFunction{"fromCharCode", from_code_point},
    NativeFunction{"fromCodePoint", from_code_point}};

constexpr std::array kMathFunctions{
    NativeFunction{"abs", math<abs_of>},
    NativeFunction{"ceil", math<ceil_of>},
    NativeFunction{"floor", math<floor_of>},
    NativeFunction{"max", math_extreme<true>},
    NativeFunction{"min", math_extreme<false>},
    NativeFunction{"round", math<rounded>},
    NativeFunction{"trunc", math<trunc_of>}};

constexpr std::array kObjectFunctions{
    NativeFunction{"entries", object_entries},
    NativeFunction{"fromEntries", object_from_entries},
    NativeFunction{"keys", object_keys},
    NativeFunction{"values", object_values}};

constexpr std::array kArrayFunctions{NativeFunction{"isArray", array_is_array}};

constexpr std::array kJsonFunctions{
    NativeFunction{"parse", json_parse}, NativeFunction{"stringify", json_stringify}};

constexpr std::array kNumberMethods{
    NativeFunction{"toFixed", number_to_fixed}, NativeFunction{"toString", number_to_string}};

constexpr std::array kUrlMethods{
    NativeFunction{"toJSON", url_to_string}, NativeFunction{"toString", url_to_string}};

constexpr std::array kFunctions{
    NativeFunction{"decodeURIComponent", decode_uri_component},
    NativeFunction{"encodeURIComponent", encode_uri_component},
    NativeFunction{"isFinite", is_finite},
    NativeFunction{"isNaN", is_nan},
    NativeFunction{"parseFloat", parse_float},
    NativeFunction{"parseInt", parse_int}};

const Namespace kNumber{"Number", kNumberFunctions, number_call, nullptr, number_property};
const Namespace kString{"String", kStringFunctions, string_call, nullptr, nullptr};
const Namespace kBoolean{"Boolean", {}, boolean_call, nullptr, nullptr};
const Namespace kMath{"Math", kMathFunctions, nullptr, nullptr, nullptr};
const Namespace kObject{"Object", kObjectFunctions, nullptr, nullptr, nullptr};
const Namespace kArray{"Array", kArrayFunctions, nullptr, nullptr, nullptr};
const Namespace kJson{"JSON", kJsonFunctions, nullptr, nullptr, nullptr};
const Namespace kUrlClass{"URL", {}, nullptr, new_url, nullptr};
const Namespace kError{"Error", {}, plain_error, plain_error, nullptr};
const Namespace kTypeError{"TypeError", {}, type_error, type_error, nullptr};
const Namespace kRangeError{"RangeError", {}, range_error, range_error, nullptr};

const std::array kNamespaces{
    &kContext,
    &kProcess,
    &kNumber,
    &kString,
    &kBoolean,
    &kMath,
    &kObject,
    &kArray,
    &kJson,
    &kUrlClass,
    &kError,
    &kTypeError,
    &kRangeError};

std::vector<std::string> all_names() {
    std::vector<std::string> names{
        "undefined", "NaN", "Infinity", "baseUrl", "cordonHomePath", "dshHomePath"};
    for (const Namespace* known : kNamespaces) {
        names.emplace_back(known->name);
    }
    for (const NativeFunction& known : kFunctions) {
        names.emplace_back(known.name);
    }
    return names;
}

}  // namespace

std::optional<JsValue> global(std::string_view name) {
    const auto known =
        std::find_if(kNamespaces.begin(), kNamespaces.end(), [&](const Namespace* host) {
            return host->name == name;
        });
    if (known != kNamespaces.end()) {
        return JsValue{*known};
    }
    if (const NativeFunction* function = find_function(kFunctions, name)) {
        return JsValue{std::make_shared<const BoundFunction>(BoundFunction{function, JsValue{}})};
    }
    if (name == "NaN") {
        return kNan;
    }
    return name == "Infinity" ? std::optional<JsValue>{std::numeric_limits<double>::infinity()}
                              : std::nullopt;
}

std::span<const std::string> global_names() {
    static const std::vector<std::string> kNames = all_names();
    return kNames;
}

std::span<const NativeFunction> number_methods() {
    return kNumberMethods;
}

std::span<const NativeFunction> url_methods() {
    return kUrlMethods;
}

const NativeFunction* find_function(
    std::span<const NativeFunction> functions, std::string_view name
) {
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& function) {
        return function.name == name;
    });
    return found == functions.end() ? nullptr : &*found;
}

Url url_argument(const Invocation& call, std::size_t index) {
    const JsValue& argument = call.argument(index);
    if (const auto* url = argument.get_if<UrlPtr>()) {
        return **url;
    }
    std::optional<Url> url = parse_url(shown(argument, call.offset), nullptr);
    if (!url) {
        throw_error(
            call.offset, "TypeError", "Invalid URL", "Write a whole URL, such as file:///a/b"
        );
    }
    return *std::move(url);
}

double integer_argument(const Invocation& call, std::size_t index, double fallback) {
    if (call.argument(index).is_undefined()) {
        return fallback;
    }
    const double number = to_number(call.argument(index));
    return std::isnan(number) ? 0.0 : std::trunc(number);
}

}  // namespace cordon::expression
