#pragma once

#include <cordon/config/setting.hpp>
#include <cordon/config/setting_struct.hpp>
#include <cordon/config/value.hpp>

#include <boost/mp11/algorithm.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace cordon::detail {

/// `value` without what equals `defaults` (spec SCH-19); empty where nothing is left. Keys that no
/// setting has, and expressions, stay: nobody knows what they will be.
template <typename T>
std::optional<Value> simplified(const Value& value, const T& defaults);

template <DescribedStruct T>
std::optional<Value> simplified_struct(const Object& members, const T& defaults, const Mark& mark) {
    Object kept = members;
    boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
        const auto name = Setting<T>::key(descriptor);
        const Value* member = kept.find(name);
        if (member == nullptr) {
            return;
        }
        std::optional<Value> rest = simplified(*member, defaults.*descriptor.pointer);
        if (rest) {
            *kept.find(name) = *std::move(rest);
        } else {
            kept.erase(name);
        }
    });
    if (kept.empty()) {
        return std::nullopt;
    }
    Value result{std::move(kept)};
    result.set_mark(mark);
    return result;
}

template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsDictionary = false;
template <typename Key, typename T, typename Compare>
inline constexpr bool kIsDictionary<std::map<Key, T, Compare>> = true;

/// What is left of every item; one of which nothing is left is an empty mapping.
template <typename T>
Value with_simple_items(Value value) {
    if constexpr (kIsList<T>) {
        if (Value::Array* items = value.as_array()) {
            for (Value& item : *items) {
                if (DescribedStruct<typename T::value_type> && item.as_object() != nullptr) {
                    item = simplified(item, typename T::value_type{}).value_or(Object{});
                }
            }
        }
    } else if constexpr (kIsDictionary<T>) {
        if (Object* members = value.as_object()) {
            for (Member& member : *members) {
                if (DescribedStruct<typename T::mapped_type> &&
                    member.value.as_object() != nullptr) {
                    member.value =
                        simplified(member.value, typename T::mapped_type{}).value_or(Object{});
                }
            }
        }
    }
    return value;
}

template <typename T>
std::optional<Value> simplified(const Value& value, const T& defaults) {
    if constexpr (DescribedStruct<T>) {
        if (const Object* members = value.as_object()) {
            return simplified_struct(*members, defaults, value.mark());
        }
    }
    Value simple = with_simple_items<T>(value);
    const bool is_default =
        value.is_null() || simple == with_simple_items<T>(Setting<T>::write(defaults));
    return is_default ? std::nullopt : std::optional<Value>{std::move(simple)};
}

}  // namespace cordon::detail
