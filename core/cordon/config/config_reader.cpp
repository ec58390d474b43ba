#include <cordon/base/text.hpp>
#include <cordon/config/config_reader.hpp>
#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cordon {
namespace {

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

}  // namespace

void ConfigReader::expected(std::string_view expected, const Value& found) {
    report(found.mark(), fmt::format("expected {}, found {}", expected, found_text(found)), {});
}

void ConfigReader::expected_one_of(std::span<const std::string> names, const Value& found) {
    const std::string* text = found.as_string();
    report(
        found.mark(),
        fmt::format("expected one of {}, found {}", join(names), found_text(found)),
        text == nullptr ? std::string{} : hint_for(*text, names)
    );
}

void ConfigReader::unknown_key(std::span<const std::string> keys, const Member& found) {
    const std::size_t length = path_.size();
    append_key(found.key);
    report(
        found.key_mark,
        fmt::format("expected a known key, found '{}'", found.key),
        hint_for(found.key, keys)
    );
    path_.resize(length);
}

void ConfigReader::missing_key(std::string_view key, const Value& mapping) {
    const std::size_t length = path_.size();
    append_key(key);
    report(
        mapping.mark(),
        "expected a value, found none",
        fmt::format("Set '{}', which has no default", key)
    );
    path_.resize(length);
}

void ConfigReader::append_key(std::string_view key) {
    if (is_plain_key(key)) {
        path_ += fmt::format(".{}", key);
    } else {
        path_ += fmt::format("['{}']", key);
    }
}

void ConfigReader::report(const Mark& mark, std::string problem, std::string hint) {
    problems_.push_back(Diagnostic{
        Severity::error, mark.place(), path_, std::move(problem), std::move(hint)});
}

std::string found_text(const Value& value) {
    const std::string_view article = value.kind() == Value::Kind::expression ? "an " : "a ";
    const std::string kind =
        value.is_null() ? "null" : fmt::format("{}{}", article, kind_name(value.kind()));
    if (value.mark().is_computed) {
        return kind + " from an expression";
    }
    if (const std::string* text = value.as_string()) {
        return fmt::format("'{}'", *text);
    }
    if (const double* number = value.as_number()) {
        return number_text(*number);
    }
    if (const bool* boolean = value.as_boolean()) {
        return *boolean ? "true" : "false";
    }
    return kind;
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
