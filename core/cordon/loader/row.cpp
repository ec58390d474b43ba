#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace cordon {
namespace {

/// Longer strings are not repeated in messages.
constexpr std::size_t kLongestShown = 40;

template <std::size_t Count>
bool has_name(const Object& row, const std::array<std::string_view, Count>& names) {
    return std::find(names.begin(), names.end(), string_member(row, "name")) != names.end();
}

}  // namespace

bool is_group(const Object& row) {
    return has_name(row, kGroupNames);
}

bool is_include(const Object& row) {
    return has_name(row, kIncludeNames);
}

bool is_open_group(const Object& row) {
    const Value* group = row.find("group");
    return group != nullptr && is_truthy(*group);
}

bool is_truthy(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::null:
            return false;
        case Value::Kind::boolean:
            return *value.as_boolean();
        case Value::Kind::number:
            return *value.as_number() < 0 || *value.as_number() > 0;  // false for NaN
        case Value::Kind::string:
            return !value.as_string()->empty();
        case Value::Kind::expression:
        case Value::Kind::array:
        case Value::Kind::object:
            return true;
    }
    return true;
}

std::string string_member(const Object& row, std::string_view key) {
    const Value* value = row.find(key);
    const std::string* text = value == nullptr ? nullptr : value->as_string();
    return text == nullptr ? std::string{} : *text;
}

std::string subject_of(const Object& row) {
    for (const std::string_view key : {"id", "name"}) {
        const std::string text = string_member(row, key);
        if (!text.empty()) {
            return fmt::format("row '{}'", text);
        }
    }
    return "row";
}

Place place_of(const Value& row) {
    if (const Object* members = row.as_object()) {
        if (const Value* id = members->find("id"); id != nullptr && id->mark().line > 0) {
            return id->place();
        }
    }
    return row.place();
}

std::string in_words(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::null:
            return "null";
        case Value::Kind::boolean:
            return *value.as_boolean() ? "true" : "false";
        case Value::Kind::number:
            return fmt::format("the number {}", *value.as_number());
        case Value::Kind::string:
            return value.as_string()->size() > kLongestShown
                       ? "a string"
                       : fmt::format("the string '{}'", *value.as_string());
        case Value::Kind::expression:
            return "an expression";
        case Value::Kind::array:
            return "a list";
        case Value::Kind::object:
            return "a mapping";
    }
    return "another value";
}

}  // namespace cordon
