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
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cordon {

/// How a member type of a config struct is read, written back and described. Each specialisation
/// has `read(value, out, reader)`, `write(setting)` and `type()`, the word of messages and lists.
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

/// Any value, not looked at.
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
            reader.expected("true or false", value);
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
        const double* number = value.as_number();
        if (number == nullptr || std::trunc(*number) != *number) {
            reader.expected("an integer", value);
        } else if (*number < kLowest || *number > kHighest) {
            reader.expected(
                "an integer from " + std::to_string(std::int64_t(kLowest)) + " to " +
                    std::to_string(std::int64_t(kHighest)),
                value
            );
        } else {
            out = static_cast<T>(*number);
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
            reader.expected("a finite number", value);
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
            reader.expected("a text", value);
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
        const double* number = value.as_number();
        const bool is_exact = number != nullptr && std::trunc(*number) == *number;
        if (is_exact && *number >= 0 && *number <= Setting<std::int64_t>::kExact) {
            out = std::chrono::milliseconds{static_cast<std::int64_t>(*number)};
        } else {
            reader.expected("a whole number of milliseconds, 0 or more", value);
        }
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
            text += (text.empty() ? "" : " | ") + name;
        }
        return text;
    }
};

/// Null and absent are the same: empty (spec SCH-2).
template <typename T>
struct Setting<std::optional<T>> {
    static void read(const Value& value, std::optional<T>& out, ConfigReader& reader) {
        Setting<T>::read(value, out.emplace(), reader);
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
            reader.expected("a list", value);
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

    static std::string type() { return "list of " + Setting<T>::type(); }
};

template <typename T, typename Compare>
struct Setting<std::map<std::string, T, Compare>> {
    using Map = std::map<std::string, T, Compare>;

    static void read(const Value& value, Map& out, ConfigReader& reader) {
        const Object* members = value.as_object();
        if (members == nullptr) {
            reader.expected("a mapping", value);
            return;
        }
        out.clear();
        for (const Member& member : *members) {
            reader.enter_key(member.key, [&] {
                Setting<T>::read(member.value, out[member.key], reader);
            });
        }
    }

    static Value write(const Map& setting) {
        Object members;
        for (const auto& [key, value] : setting) {
            members.set(key, Setting<T>::write(value));
        }
        return members;
    }

    static std::string type() { return "mapping of " + Setting<T>::type(); }
};

/// A nested config struct. A key that is absent or null keeps the member's default; an unknown key
/// is an error, so that a mistyped setting never weakens a policy. `static constexpr` member
/// `kRequired`, a range of file keys, lists what must be there.
template <DescribedStruct T>
struct Setting<T> {
    template <typename Descriptor>
    static std::string key(Descriptor descriptor) {
        using Field = std::remove_cvref_t<decltype(std::declval<T>().*descriptor.pointer)>;
        return kIsDuration<Field> ? key_of_duration(descriptor.name)
                                  : key_of_member(descriptor.name);
    }

    static std::vector<std::string> keys() {
        std::vector<std::string> result;
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            result.push_back(key(descriptor));
        });
        return result;
    }

    static void read(const Value& value, T& out, ConfigReader& reader) {
        static const Object kEmpty;
        const Object* members = value.is_null() ? &kEmpty : value.as_object();
        if (members == nullptr) {
            reader.expected("a mapping", value);
            return;
        }
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            read_member(*members, descriptor, out, reader);
        });
        check_keys(*members, reader);
        check_required(*members, value, reader);
    }

    static Value write(const T& setting) {
        Object members;
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            using Field = std::remove_cvref_t<decltype(setting.*descriptor.pointer)>;
            members.set(key(descriptor), Setting<Field>::write(setting.*descriptor.pointer));
        });
        return members;
    }

    static std::string type() { return "mapping"; }

private:
    template <typename Descriptor>
    static void read_member(
        const Object& members, Descriptor descriptor, T& out, ConfigReader& reader
    ) {
        using Field = std::remove_cvref_t<decltype(out.*descriptor.pointer)>;
        const std::string name = key(descriptor);
        const Value* value = members.find(name);
        if (value == nullptr || (value->is_null() && !std::same_as<Field, Value>)) {
            return;
        }
        reader.enter_key(name, [&] {
            Setting<Field>::read(*value, out.*descriptor.pointer, reader);
        });
    }

    static void check_keys(const Object& members, ConfigReader& reader) {
        const std::vector<std::string> known = keys();
        for (const Member& member : members) {
            if (std::find(known.begin(), known.end(), member.key) == known.end()) {
                reader.unknown_key(known, member);
            }
        }
    }

    static void check_required(const Object& members, const Value& value, ConfigReader& reader) {
        if constexpr (requires { T::kRequired; }) {
            for (const std::string_view name : T::kRequired) {
                const Value* found = members.find(name);
                if (found == nullptr || found->is_null()) {
                    reader.missing_key(name, value);
                }
            }
        }
    }
};

}  // namespace cordon
