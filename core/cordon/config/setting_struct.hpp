#pragma once

#include <cordon/config/config_reader.hpp>
#include <cordon/config/setting.hpp>
#include <cordon/config/value.hpp>

#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cordon {

/// A nested config struct. A key that is absent or null keeps the member's default; an unknown key
/// is an error, so that a mistyped setting never weakens a policy. `static constexpr` member
/// `kRequired`, a range of file keys, lists what must be there; what the bases require is required
/// too. Described bases are an intersection: each is read, and where two have the same key the
/// earlier one's value is written (spec SCH-8).
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
            reader.expected("object", value);
            return;
        }
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            read_member(*members, value, descriptor, out, reader);
        });
        check_keys(*members, reader);
        check_required(*members, value, reader);
    }

    static Value write(const T& setting) {
        Object members;
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            using Field = std::remove_cvref_t<decltype(setting.*descriptor.pointer)>;
            if (members.find(key(descriptor)) == nullptr) {
                members.set(key(descriptor), Setting<Field>::write(setting.*descriptor.pointer));
            }
        });
        return members;
    }

    /// A struct inside itself prints as `{ ... }`.
    static std::string type() {
        static thread_local bool is_printing = false;
        if (is_printing) {
            return "{ ... }";
        }
        is_printing = true;
        const std::vector<std::string> required = required_keys();
        std::vector<std::string> seen;
        std::string text;
        boost::mp11::mp_for_each<DescribedMembers<T>>([&](auto descriptor) {
            using Field = std::remove_cvref_t<decltype(std::declval<T>().*descriptor.pointer)>;
            const std::string name = key(descriptor);
            if (contains(seen, name)) {
                return;
            }
            seen.push_back(name);
            text += (text.empty() ? " " : ", ") + name + (contains(required, name) ? "" : "?") +
                    ": " + Setting<Field>::type();
        });
        is_printing = false;
        return '{' + text + (text.empty() ? "}" : " }");
    }

    static std::vector<std::string> required_keys() {
        std::vector<std::string> result;
        boost::mp11::mp_for_each<boost::describe::describe_bases<T, boost::describe::mod_public>>(
            [&](auto base) {
                for (std::string& name : Setting<typename decltype(base)::type>::required_keys()) {
                    result.push_back(std::move(name));
                }
            }
        );
        if constexpr (requires { T::kRequired; }) {
            for (const std::string_view name : T::kRequired) {
                if (!contains(result, name)) {
                    result.emplace_back(name);
                }
            }
        }
        return result;
    }

private:
    static bool contains(const std::vector<std::string>& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    template <typename Descriptor>
    static void read_member(
        const Object& members, const Value& at, Descriptor descriptor, T& out, ConfigReader& reader
    ) {
        using Field = std::remove_cvref_t<decltype(out.*descriptor.pointer)>;
        const std::string name = key(descriptor);
        const Value* value = members.find(name);
        if (value == nullptr || (value->is_null() && !std::same_as<Field, Value>)) {
            reader.enter_key(name, [&] {
                check_default(out.*descriptor.pointer, value == nullptr ? at : *value, reader);
            });
            return;
        }
        reader.enter_key(name, [&] {
            Setting<Field>::read(*value, out.*descriptor.pointer, reader);
        });
    }

    /// Of a nested struct the requirements hold although it is absent (spec SCH-3); a default has
    /// to keep the rules of its setting (spec SCH-2).
    template <typename Field>
    static void check_default(Field& field, const Value& at, ConfigReader& reader) {
        if constexpr (DescribedStruct<Field>) {
            Value nothing;
            nothing.set_mark(at.mark());
            Setting<Field>::read(nothing, field, reader);
        } else if constexpr (requires { Setting<Field>::check(field, at, reader); }) {
            Value written = Setting<Field>::write(field);
            written.set_mark(at.mark());
            Setting<Field>::check(field, written, reader);
        }
    }

    static void check_keys(const Object& members, ConfigReader& reader) {
        const std::vector<std::string> known = keys();
        for (const Member& member : members) {
            if (!contains(known, member.key)) {
                reader.unknown_key(known, member);
            }
        }
    }

    static void check_required(const Object& members, const Value& value, ConfigReader& reader) {
        for (const std::string& name : required_keys()) {
            const Value* found = members.find(name);
            if (found == nullptr || found->is_null()) {
                reader.missing_key(name, value);
            }
        }
    }
};

}  // namespace cordon
