#pragma once

#include <cordon/config/config_reader.hpp>
#include <cordon/config/value.hpp>

#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cordon {

/// How a member type of a config struct is read, written back and described. Each specialisation
/// has `read(value, out, reader)`, `write(setting)` and `type()`, its compact print (spec SCH-20).
/// A plugin that converts what it reads specialises it for a type of its own (spec SCH-14).
template <typename T>
struct Setting;

template <typename T>
concept DescribedStruct = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

template <typename T>
concept DescribedEnum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;

template <typename T>
using DescribedMembers = boost::describe::
    describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

template <typename T>
inline constexpr bool kIsDuration = false;
template <>
inline constexpr bool kIsDuration<std::chrono::milliseconds> = true;
template <>
inline constexpr bool kIsDuration<std::optional<std::chrono::milliseconds>> = true;

/// `T[]`, with brackets around a union.
[[nodiscard]] inline std::string list_type(std::string_view item) {
    const bool is_union = item.find(" | ") != std::string_view::npos && !item.starts_with("{ ");
    return (is_union ? '(' + std::string{item} + ')' : std::string{item}) + "[]";
}

/// Any value, not looked at (spec SCH-14).
template <>
struct Setting<Value> {
    static void read(const Value& value, Value& out, ConfigReader& /*reader*/) { out = value; }

    static Value write(const Value& setting) { return setting; }

    static std::string type() { return "any"; }
};

template <>
struct Setting<bool> {
    static void read(const Value& value, bool& out, ConfigReader& reader) {
        if (const bool* boolean = value.as_boolean()) {
            out = *boolean;
        } else {
            reader.expected("boolean", value);
        }
    }

    static Value write(bool setting) { return setting; }

    static std::string type() { return "boolean"; }
};

/// Exact or refused: a fraction and a number out of range are errors. 64 bits go up to 2^53, as far
/// as the dialect's numbers are exact.
template <std::integral T>
struct Setting<T> {
    static constexpr double kExact = 9007199254740992.0;
    static constexpr double kLowest = sizeof(T) < 8 ? double(std::numeric_limits<T>::lowest())
                                      : std::is_signed_v<T> ? -kExact
                                                            : 0.0;
    static constexpr double kHighest =
        sizeof(T) < 8 ? double(std::numeric_limits<T>::max()) : kExact;

    static void read(const Value& value, T& out, ConfigReader& reader) {
        if (const double* number = value.as_number()) {
            const std::size_t before = reader.problems().size();
            reader.check_number("number", *number, {kLowest, kHighest, 1.0}, value);
            out = reader.problems().size() == before ? static_cast<T>(*number) : out;
        } else {
            reader.expected("number", value);
        }
    }

    static Value write(T setting) { return static_cast<double>(setting); }

    static std::string type() { return "integer"; }
};

template <std::floating_point T>
struct Setting<T> {
    static void read(const Value& value, T& out, ConfigReader& reader) {
        const double* number = value.as_number();
        if (number != nullptr && std::isfinite(*number)) {
            out = static_cast<T>(*number);
        } else {
            reader.expected(number == nullptr ? "number" : "finite number", value);
        }
    }

    static Value write(T setting) { return static_cast<double>(setting); }

    static std::string type() { return "number"; }
};

/// `std::string` and `std::filesystem::path`.
template <typename T>
requires std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>

struct Setting<T> {
    static void read(const Value& value, T& out, ConfigReader& reader) {
        if (const std::string* text = value.as_string()) {
            out = *text;
        } else {
            reader.expected("string", value);
        }
    }

    static Value write(const T& setting) {
        if constexpr (std::same_as<T, std::string>) {
            return setting;
        } else {
            return setting.string();
        }
    }

    static std::string type() { return std::same_as<T, std::string> ? "string" : "path"; }
};

template <>
struct Setting<std::chrono::milliseconds> {
    static void read(const Value& value, std::chrono::milliseconds& out, ConfigReader& reader) {
        std::int64_t count = out.count();
        const std::size_t before = reader.problems().size();
        if (const double* number = value.as_number()) {
            const double longest = Setting<std::int64_t>::kHighest;
            reader.check_number("number", *number, {0.0, longest, 1.0}, value);
            count = reader.problems().size() == before ? static_cast<std::int64_t>(*number) : count;
        } else {
            reader.expected("number", value);
        }
        out = std::chrono::milliseconds{count};
    }

    static Value write(std::chrono::milliseconds setting) {
        return static_cast<double>(setting.count());
    }

    static std::string type() { return "milliseconds"; }
};

template <DescribedEnum T>
struct Setting<T> {
    static std::vector<std::string> names() {
        std::vector<std::string> result;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
            result.push_back(text_of_enumerator(enumerator.name));
        });
        return result;
    }

    static void read(const Value& value, T& out, ConfigReader& reader) {
        bool is_known = false;
        const std::string* text = value.as_string();
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
            if (text != nullptr && *text == text_of_enumerator(enumerator.name)) {
                out = enumerator.value;
                is_known = true;
            }
        });
        if (!is_known) {
            reader.expected_one_of(names(), value);
        }
    }

    static Value write(T setting) {
        Value result;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
            if (setting == enumerator.value) {
                result = text_of_enumerator(enumerator.name);
            }
        });
        return result;
    }

    static std::string type() {
        std::string text;
        for (const std::string& name : names()) {
            text += (text.empty() ? "" : " | ") + quoted_text(name);
        }
        return text;
    }
};

/// Null and absent are the same: empty (spec SCH-2).
template <typename T>
struct Setting<std::optional<T>> {
    static void read(const Value& value, std::optional<T>& out, ConfigReader& reader) {
        if (value.is_null()) {
            out.reset();
        } else {
            Setting<T>::read(value, out.emplace(), reader);
        }
    }

    static Value write(const std::optional<T>& setting) {
        return setting ? Setting<T>::write(*setting) : Value{};
    }

    static std::string type() { return Setting<T>::type(); }
};

template <typename T>
struct Setting<std::vector<T>> {
    static void read(const Value& value, std::vector<T>& out, ConfigReader& reader) {
        const Value::Array* items = value.as_array();
        if (items == nullptr) {
            reader.expected("array", value);
            return;
        }
        out.clear();
        for (std::size_t i = 0; i < items->size(); ++i) {
            T item{};
            reader.enter_item(i, [&] { Setting<T>::read((*items)[i], item, reader); });
            out.push_back(std::move(item));
        }
    }

    static Value write(const std::vector<T>& setting) {
        Value::Array items;
        for (const auto& item : setting) {
            items.push_back(Setting<T>::write(item));
        }
        return items;
    }

    static std::string type() { return list_type(Setting<T>::type()); }
};

/// Names of an enumeration, each at most once (the bit set of spec SCH-14). There is no number for
/// it: the bits of an enumeration are nobody's contract.
template <DescribedEnum T>
struct Setting<std::set<T>> {
    static void read(const Value& value, std::set<T>& out, ConfigReader& reader) {
        std::vector<T> items;
        Setting<std::vector<T>>::read(value, items, reader);
        out = std::set<T>(items.begin(), items.end());
    }

    static Value write(const std::set<T>& setting) {
        return Setting<std::vector<T>>::write({setting.begin(), setting.end()});
    }

    static std::string type() { return list_type(Setting<T>::type()); }
};

/// The key is a text, an enumeration or a checked text; what is wrong with a key is reported at the
/// key. A key is never rewritten in the input (spec SCH-21).
template <typename Key, typename T, typename Compare>
struct Setting<std::map<Key, T, Compare>> {
    using Map = std::map<Key, T, Compare>;

    static void read(const Value& value, Map& out, ConfigReader& reader) {
        const Object* members = value.as_object();
        if (members == nullptr) {
            reader.expected("object", value);
            return;
        }
        out.clear();
        for (const Member& member : *members) {
            reader.enter_key(member.key, [&] {
                Value name{member.key};
                name.set_mark(member.key_mark);
                Key key{};
                Setting<Key>::read(name, key, reader);
                Setting<T>::read(member.value, out[key], reader);
            });
        }
    }

    static Value write(const Map& setting) {
        Object members;
        for (const auto& [key, value] : setting) {
            members.set(*Setting<Key>::write(key).as_string(), Setting<T>::write(value));
        }
        return members;
    }

    static std::string type() {
        return "{ [key: " + Setting<Key>::type() + "]: " + Setting<T>::type() + " }";
    }
};

}  // namespace cordon
