#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/regex.hpp>
#include <cordon/config/expression/replacement.hpp>
#include <cordon/config/expression/utf.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

/// The methods of `String.prototype` that depend on nothing but the text.
namespace cordon::expression {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMaxMade = 1U * 1024 * 1024;

const std::string& self(const Invocation& call) {
    return *call.self.text();
}

JsValue text(const Invocation& call, std::string_view content) {
    return call.evaluator.text(std::string{content}, call.offset);
}

std::string shown_argument(const Invocation& call, std::size_t index) {
    return shown(call.argument(index), call.offset);
}

/// The text to search for; JavaScript refuses a regular expression here too.
std::string needle(const Invocation& call) {
    if (call.argument(0).get_if<RegexPtr>() != nullptr) {
        throw_error(call.offset, "TypeError", "First argument must not be a regular expression");
    }
    return shown_argument(call, 0);
}

/// The byte offset of a UTF-16 index that may count from the end.
std::size_t relative_offset(const Invocation& call, std::size_t index, double fallback) {
    const auto length = static_cast<double>(utf16_length(self(call)));
    double at = integer_argument(call, index, fallback);
    at = at < 0 ? std::max(0.0, length + at) : std::min(at, length);
    return byte_offset(self(call), static_cast<std::size_t>(at));
}

/// The same for an index that never counts from the end.
std::size_t absolute_offset(const Invocation& call, std::size_t index, double fallback) {
    const auto length = static_cast<double>(utf16_length(self(call)));
    const double at = std::clamp(integer_argument(call, index, fallback), 0.0, length);
    return byte_offset(self(call), static_cast<std::size_t>(at));
}

double infinity() {
    return std::numeric_limits<double>::infinity();
}

JsValue slice(const Invocation& call) {
    const std::size_t begin = relative_offset(call, 0, 0);
    const std::size_t end = relative_offset(call, 1, infinity());
    return text(call, std::string_view{self(call)}.substr(begin, end > begin ? end - begin : 0));
}

JsValue substring(const Invocation& call) {
    const std::size_t first = absolute_offset(call, 0, 0);
    const std::size_t second = absolute_offset(call, 1, infinity());
    const auto [begin, end] = std::minmax(first, second);
    return text(call, std::string_view{self(call)}.substr(begin, end - begin));
}

JsValue starts_with(const Invocation& call) {
    const std::string wanted = needle(call);
    return std::string_view{self(call)}.substr(absolute_offset(call, 1, 0)).starts_with(wanted);
}

JsValue ends_with(const Invocation& call) {
    const std::string wanted = needle(call);
    return std::string_view{self(call)}
        .substr(0, absolute_offset(call, 1, infinity()))
        .ends_with(wanted);
}

JsValue includes(const Invocation& call) {
    return self(call).find(needle(call), absolute_offset(call, 1, 0)) != std::string::npos;
}

JsValue utf16_index(const Invocation& call, std::size_t offset) {
    if (offset == std::string::npos) {
        return -1.0;
    }
    return static_cast<double>(utf16_length(std::string_view{self(call)}.substr(0, offset)));
}

JsValue index_of(const Invocation& call) {
    return utf16_index(call, self(call).find(shown_argument(call, 0), absolute_offset(call, 1, 0)));
}

JsValue last_index_of(const Invocation& call) {
    const std::size_t start = absolute_offset(call, 1, infinity());
    return utf16_index(call, self(call).rfind(shown_argument(call, 0), start));
}

std::string_view trimmed(std::string_view text, bool at_start, bool at_end) {
    std::size_t first = text.size();
    std::size_t last = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (!is_blank(decode_character(text, at))) {
            first = std::min(first, begin);
            last = at;
        }
    }
    const std::size_t begin = at_start ? first : 0;
    const std::size_t end = at_end ? last : text.size();
    return text.substr(begin, end > begin ? end - begin : 0);
}

JsValue trim_both(const Invocation& call) {
    return text(call, trimmed(self(call), true, true));
}

JsValue trim_start(const Invocation& call) {
    return text(call, trimmed(self(call), true, false));
}

JsValue trim_end(const Invocation& call) {
    return text(call, trimmed(self(call), false, true));
}

/// Letters beyond ASCII need tables that are not here; a wrong answer would go unnoticed.
std::string ascii_letters(const Invocation& call, char first, char last) {
    std::string result = self(call);
    for (char& c : result) {
        if (static_cast<std::uint8_t>(c) >= 0x80) {
            refuse(
                call.offset, "upper and lower case beyond ASCII is not supported in expressions"
            );
        }
        c = c >= first && c <= last ? static_cast<char>(c ^ 0x20) : c;
    }
    return result;
}

JsValue to_lower_case(const Invocation& call) {
    return text(call, ascii_letters(call, 'A', 'Z'));
}

JsValue to_upper_case(const Invocation& call) {
    return text(call, ascii_letters(call, 'a', 'z'));
}

JsValue concat(const Invocation& call) {
    std::string result = self(call);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        result += shown_argument(call, i);
    }
    return text(call, result);
}

std::optional<std::string> character_at(const Invocation& call, double index) {
    if (!(index >= 0) || index >= static_cast<double>(utf16_length(self(call)))) {
        return std::nullopt;
    }
    std::size_t at = byte_offset(self(call), static_cast<std::size_t>(index));
    std::string character;
    append_character(character, decode_character(self(call), at));
    return character;
}

JsValue char_at(const Invocation& call) {
    return text(call, character_at(call, integer_argument(call, 0, 0)).value_or(""));
}

JsValue at(const Invocation& call) {
    const double index = integer_argument(call, 0, 0);
    const auto length = static_cast<double>(utf16_length(self(call)));
    const auto character = character_at(call, index < 0 ? length + index : index);
    return character ? text(call, *character) : JsValue{};
}

JsValue code_point_at(const Invocation& call) {
    const auto character = character_at(call, integer_argument(call, 0, 0));
    if (!character) {
        return {};
    }
    std::size_t start = 0;
    return static_cast<double>(decode_character(*character, start));
}

JsValue char_code_at(const Invocation& call) {
    const JsValue code = code_point_at(call);
    const double* number = code.get_if<double>();
    if (number != nullptr && *number > 0xFFFF) {
        refuse(call.offset, "half of a surrogate pair is not supported in expressions");
    }
    return number == nullptr ? JsValue{kNan} : code;
}

std::string padding(const Invocation& call) {
    const double target = integer_argument(call, 0, 0);
    const std::string filler = call.argument(1).is_undefined() ? " " : shown_argument(call, 1);
    const double missing = target - static_cast<double>(utf16_length(self(call)));
    if (missing <= 0 || filler.empty()) {
        return {};
    }
    if (missing > static_cast<double>(kMaxMade)) {
        refuse(call.offset, fmt::format("expected a text of at most {} bytes", kMaxMade));
    }
    std::string result;
    while (static_cast<double>(utf16_length(filler)) * static_cast<double>(result.size()) <
           missing * static_cast<double>(filler.size())) {
        result += filler;
    }
    return result.substr(0, byte_offset(result, static_cast<std::size_t>(missing)));
}

JsValue pad_start(const Invocation& call) {
    return text(call, padding(call) + self(call));
}

JsValue pad_end(const Invocation& call) {
    return text(call, self(call) + padding(call));
}

JsValue repeat(const Invocation& call) {
    const double count = integer_argument(call, 0, 0);
    if (count < 0 || std::isinf(count)) {
        throw_error(call.offset, "RangeError", "Invalid count value");
    }
    if (count * static_cast<double>(self(call).size()) > static_cast<double>(kMaxMade)) {
        refuse(call.offset, fmt::format("expected a text of at most {} bytes", kMaxMade));
    }
    std::string result;
    for (double i = 0; i < count && !self(call).empty(); ++i) {
        result += self(call);
    }
    return text(call, result);
}

JsArray split_characters(const Invocation& call) {
    JsArray pieces;
    for (std::size_t at = 0; at < self(call).size();) {
        std::string character;
        append_character(character, decode_character(self(call), at));
        pieces.push_back(text(call, character));
    }
    return pieces;
}

JsArray split_by_text(const Invocation& call, const std::string& separator) {
    JsArray pieces;
    std::size_t start = 0;
    for (std::size_t found = 0; (found = self(call).find(separator, start)) != std::string::npos;) {
        pieces.push_back(text(call, std::string_view{self(call)}.substr(start, found - start)));
        start = found + separator.size();
    }
    pieces.push_back(text(call, std::string_view{self(call)}.substr(start)));
    return pieces;
}

JsArray split_by_regex(const Invocation& call, const Regex& regex) {
    const std::string_view whole = self(call);
    JsArray pieces;
    if (whole.empty()) {
        const bool matches = regex.find(whole, 0, call.evaluator.steps()).has_value();
        return matches ? pieces : JsArray{call.self};
    }
    std::size_t start = 0;
    std::size_t from = 0;
    while (from < whole.size()) {
        const auto match = regex.find(whole, from, call.evaluator.steps());
        if (!match || match->front().first >= whole.size()) {
            break;
        }
        const auto [begin, end] = match->front();
        if (end == start) {  // an empty match where the last piece ended separates nothing
            (void)decode_character(whole, from);
            continue;
        }
        pieces.push_back(text(call, whole.substr(start, begin - start)));
        for (std::size_t group = 1; group < match->size(); ++group) {
            const auto [first, last] = (*match)[group];
            const bool took_part = last != std::string::npos;
            pieces.push_back(took_part ? text(call, whole.substr(first, last - first)) : JsValue{});
        }
        start = end;
        from = std::max(end, from);
    }
    pieces.push_back(text(call, whole.substr(start)));
    return pieces;
}

JsValue split(const Invocation& call) {
    JsArray pieces;
    if (const auto* regex = call.argument(0).get_if<RegexPtr>()) {
        pieces = split_by_regex(call, **regex);
    } else if (call.argument(0).is_undefined()) {
        pieces.push_back(call.self);
    } else {
        const std::string separator = shown_argument(call, 0);
        pieces = separator.empty() ? split_characters(call) : split_by_text(call, separator);
    }
    const double limit = integer_argument(call, 1, infinity());
    if (limit >= 0 && limit < static_cast<double>(pieces.size())) {
        pieces.resize(static_cast<std::size_t>(limit));
    }
    return call.evaluator.array(std::move(pieces), call.offset);
}

JsValue to_string(const Invocation& call) {
    return call.self;
}

JsValue match(const Invocation& call) {
    const auto* regex = call.argument(0).get_if<RegexPtr>();
    if (regex == nullptr) {
        refuse(call.offset, "match without a regular expression is not supported in expressions");
    }
    const std::string_view whole = self(call);
    const std::vector<Regex::Match> matches =
        all_matches(call, whole, **regex, /*only_first=*/!(*regex)->is_global());
    if (matches.empty()) {
        return Null{};
    }
    JsArray result;
    if ((*regex)->is_global()) {
        for (const Regex::Match& found : matches) {
            result.push_back(
                text(call, whole.substr(found[0].first, found[0].second - found[0].first))
            );
        }
    } else {
        for (const auto& [first, last] : matches[0]) {
            const bool took_part = last != std::string::npos;
            result.push_back(took_part ? text(call, whole.substr(first, last - first)) : JsValue{});
        }
    }
    return call.evaluator.array(std::move(result), call.offset);
}

JsValue regex_test(const Invocation& call) {
    const Regex& regex = **call.self.get_if<RegexPtr>();
    const std::string whole = shown_argument(call, 0);
    return regex.find(whole, 0, call.evaluator.steps()).has_value();
}

constexpr std::array kTextMethods{
    NativeFunction{"at", at},
    NativeFunction{"charAt", char_at},
    NativeFunction{"charCodeAt", char_code_at},
    NativeFunction{"codePointAt", code_point_at},
    NativeFunction{"concat", concat},
    NativeFunction{"endsWith", ends_with},
    NativeFunction{"includes", includes},
    NativeFunction{"indexOf", index_of},
    NativeFunction{"lastIndexOf", last_index_of},
    NativeFunction{"match", match},
    NativeFunction{"padEnd", pad_end},
    NativeFunction{"padStart", pad_start},
    NativeFunction{"repeat", repeat},
    NativeFunction{"replace", replace_first},
    NativeFunction{"replaceAll", replace_all},
    NativeFunction{"slice", slice},
    NativeFunction{"split", split},
    NativeFunction{"startsWith", starts_with},
    NativeFunction{"substring", substring},
    NativeFunction{"toLowerCase", to_lower_case},
    NativeFunction{"toString", to_string},
    NativeFunction{"toUpperCase", to_upper_case},
    NativeFunction{"trim", trim_both},
    NativeFunction{"trimEnd", trim_end},
    NativeFunction{"trimStart", trim_start},
    NativeFunction{"valueOf", to_string}};

constexpr std::array kRegexMethods{NativeFunction{"test", regex_test}};

}  // namespace

std::span<const NativeFunction> text_methods() {
    return kTextMethods;
}

std::span<const NativeFunction> regex_methods() {
    return kRegexMethods;
}

}  // namespace cordon::expression
