#include <cordon/base/text.hpp>
#include <cordon/config/config_reader.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/regex.hpp>
#include <cordon/config/expression/utf.hpp>
#include <cordon/config/number_text.hpp>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace cordon {
namespace {

constexpr std::size_t kLongestFound = 80;
/// Far more than a setting's pattern takes on a setting's text.
constexpr std::size_t kPatternSteps = 1'000'000;

std::string hint_for(std::string_view name, std::span<const std::string> candidates) {
    if (const auto nearest = nearest_name(name, candidates)) {
        return fmt::format("Write '{}' if that is meant", *nearest);
    }
    return candidates.empty() ? "Remove it" : fmt::format("Use one of: {}", join(candidates));
}

bool is_plain_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '$';
    });
}

std::string_view without_trailing_underscore(std::string_view name) {
    return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

std::string union_of_texts(std::span<const std::string> texts) {
    std::string type;
    for (const std::string& text : texts) {
        type += (type.empty() ? "" : " | ") + quoted_text(text);
    }
    return type;
}

int decimal_places(double number) {
    const std::string text = number_text(number);
    const std::size_t exponent = text.find('e');
    const std::size_t point = text.find('.');
    const int digits = point == std::string::npos
                           ? 0
                           : static_cast<int>(std::min(exponent, text.size()) - point - 1);
    const int shift = exponent == std::string::npos ? 0 : std::atoi(text.c_str() + exponent + 1);
    return std::max(0, digits - shift);
}

/// What is left of `number` below a whole number of steps, 0 or more.
double remainder_of(double number, double step) {
    const double rest = std::fmod(number, step);
    return rest < 0 ? rest + step : rest;
}

/// Counted in decimals, each end by itself: a difference would lose the digits of a small number
/// beside a large bound.
bool is_multiple(double number, double from, double step) {
    const int places =
        std::max({decimal_places(number), decimal_places(from), decimal_places(step)});
    const double scale = std::pow(10.0, places);
    const double steps = std::round(step * scale);
    return remainder_of(std::round(number * scale), steps) ==
           remainder_of(std::round(from * scale), steps);
}

void append_found(const Value& value, std::string& text) {
    const std::string_view article = value.kind() == Value::Kind::expression ? "an " : "a ";
    if (text.size() > kLongestFound) {
        return;
    }
    if (value.mark().is_computed && !value.is_null()) {
        text += fmt::format("{}{} from an expression", article, kind_name(value.kind()));
    } else if (const std::string* string = value.as_string()) {
        text += quoted_text(*string);
    } else if (const double* number = value.as_number()) {
        text += number_text(*number);
    } else if (const bool* boolean = value.as_boolean()) {
        text += *boolean ? "true" : "false";
    } else if (const Value::Array* items = value.as_array()) {
        text += '[';
        for (std::size_t i = 0; i < items->size(); ++i) {
            text += i == 0 ? "" : ",";
            append_found((*items)[i], text);
        }
        text += ']';
    } else if (const Object* members = value.as_object()) {
        text += '{';
        for (const Member& member : *members) {
            text += (&member == members->begin() ? "" : ",") + quoted_text(member.key) + ':';
            append_found(member.value, text);
        }
        text += '}';
    } else {
        text += value.is_null() ? "null" : "an expression";
    }
}

}  // namespace

void ConfigReader::expected(std::string_view type, const Value& found, std::string hint) {
    report(found, fmt::format("expected {} but got {}", type, found_text(found)), std::move(hint));
}

void ConfigReader::expected_one_of(std::span<const std::string> names, const Value& found) {
    const std::string* text = found.as_string();
    const bool is_shown = text != nullptr && !found.mark().is_computed;
    expected(union_of_texts(names), found, is_shown ? hint_for(*text, names) : std::string{});
}

void ConfigReader::expected_union(
    std::string_view type, const Value& found, const std::vector<Diagnostic>& tried
) {
    const auto deepest = std::max_element(
        tried.begin(),
        tried.end(),
        [](const Diagnostic& left, const Diagnostic& right) {
            return left.path.size() < right.path.size();
        }
    );
    const bool is_deeper = deepest != tried.end() && deepest->path.size() > path_.size();
    expected(type, found, is_deeper ? "Nearest: " + deepest->problem : std::string{});
}

void ConfigReader::check_number(
    std::string_view what, double number, const NumberRules& rules, const Value& found
) {
    const bool is_hidden = found.mark().is_computed && found.as_number() != nullptr;
    const std::string shown = is_hidden ? found_text(found) : number_text(number);
    if (rules.max && number > *rules.max) {
        report(
            found, fmt::format("expected {} <= {} but got {}", what, number_text(*rules.max), shown)
        );
    } else if (rules.min && number < *rules.min) {
        report(
            found, fmt::format("expected {} >= {} but got {}", what, number_text(*rules.min), shown)
        );
    } else if (rules.step && !is_multiple(number, rules.min.value_or(0), *rules.step)) {
        report(
            found,
            fmt::format(
                "expected {} multiple of {} but got {}", what, number_text(*rules.step), shown
            )
        );
    }
}

void ConfigReader::check_text(
    const std::string& text, const NumberRules& length, std::string_view pattern, const Value& found
) {
    const std::size_t before = problems_.size();
    check_number(
        "string length", static_cast<double>(expression::utf16_length(text)), length, found
    );
    if (pattern.empty() || problems_.size() != before) {
        return;
    }
    std::size_t steps = kPatternSteps;
    try {
        const expression::Regex regex{std::string{pattern}, "", 0};
        if (!regex.find(text, 0, steps)) {
            report(found, fmt::format("expect string to match regexp {}", regex.text()));
        }
    } catch (const expression::Refusal& refusal) {
        report(found, fmt::format("cannot be matched with /{}/: {}", pattern, refusal.problem));
    }
}

void ConfigReader::unknown_key(std::span<const std::string> keys, const Member& found) {
    enter_key(found.key, [&] {
        report_at(found.key_mark, "is not a known key", hint_for(found.key, keys));
    });
}

void ConfigReader::missing_key(std::string_view key, const Value& mapping) {
    enter_key(key, [&] {
        report_at(
            mapping.mark(),
            "missing required value",
            fmt::format("Set '{}', which has no default", key)
        );
    });
}

void ConfigReader::missing_item(std::size_t index, const Value& list) {
    enter_item(index, [&] { report_at(list.mark(), "missing required value", {}); });
}

void ConfigReader::report(const Value& found, std::string message, std::string hint) {
    report_at(found.mark(), std::move(message), std::move(hint));
}

void ConfigReader::append_key(std::string_view key) {
    shown_path_ += is_plain_key(key) ? fmt::format(".{}", key) : fmt::format("['{}']", key);
    path_.emplace_back(key);
}

void ConfigReader::append_index(std::size_t index) {
    shown_path_ += fmt::format("[{}]", index);
    path_.push_back(std::to_string(index));
}

void ConfigReader::leave(std::size_t length) {
    shown_path_.resize(length);
    path_.pop_back();
}

void ConfigReader::report_at(const Mark& mark, std::string message, std::string hint) {
    problems_.push_back(Diagnostic{
        Severity::error,
        mark.place(),
        subject_,
        path_.empty() ? std::move(message) : fmt::format("${} {}", shown_path_, message),
        std::move(hint),
        path_});
}

std::string found_text(const Value& value) {
    std::string text;
    append_found(value, text);
    if (text.size() > kLongestFound) {
        std::size_t end = kLongestFound;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text.resize(end);
        text += "...";
    }
    return text;
}

std::string quoted_text(std::string_view text) {
    return boost::json::serialize(boost::json::string_view{text.data(), text.size()});
}

std::string key_of_member(std::string_view member) {
    std::string key;
    for (const char c : without_trailing_underscore(member)) {
        if (!key.empty() && key.back() == '_') {
            key.back() = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        } else {
            key += c;
        }
    }
    return key;
}

std::string key_of_duration(std::string_view member) {
    const std::string key = key_of_member(member);
    return key.ends_with("Ms") ? key : key + "Ms";
}

std::string text_of_enumerator(std::string_view enumerator) {
    std::string text{without_trailing_underscore(enumerator)};
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
}

}  // namespace cordon
