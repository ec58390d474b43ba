#pragma once

#include <cordon/config/config_reader.hpp>
#include <cordon/config/setting.hpp>
#include <cordon/config/value.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cordon {

/// A text as a template argument: `Literal<"auto">`.
template <std::size_t Size>
struct LiteralText {
    char characters[Size]{};

    consteval LiteralText(const char (&text)[Size]) {  // NOLINT(google-explicit-constructor)
        std::copy_n(text, Size, characters);
    }

    [[nodiscard]] constexpr std::string_view view() const { return {characters, Size - 1}; }
};

/// Exactly this text (spec SCH-12); a number or a truth value is a `std::integral_constant`.
template <LiteralText Text>
struct Literal {
    static constexpr std::string_view text() { return Text.view(); }

    friend bool operator==(const Literal&, const Literal&) = default;
};

template <LiteralText Text>
struct Setting<Literal<Text>> {
    static void read(const Value& value, Literal<Text>& /*out*/, ConfigReader& reader) {
        if (value != write({})) {
            reader.expected(type(), value);
        }
    }

    static Value write(const Literal<Text>& /*setting*/) { return Text.view(); }

    static std::string type() { return quoted_text(Text.view()); }
};

template <typename T, T constant>
struct Setting<std::integral_constant<T, constant>> {
    using Constant = std::integral_constant<T, constant>;

    static void read(const Value& value, Constant& /*out*/, ConfigReader& reader) {
        if (value != write({})) {
            reader.expected(type(), value);
        }
    }

    static Value write(const Constant& /*setting*/) { return Setting<T>::write(constant); }

    static std::string type() { return found_text(write({})); }
};

/// Never there: only null and absent are right (spec SCH-14).
template <>
struct Setting<std::monostate> {
    static void read(const Value& value, std::monostate& /*out*/, ConfigReader& reader) {
        if (!value.is_null()) {
            reader.expected("nullable", value);
        }
    }

    static Value write(const std::monostate& /*setting*/) { return {}; }

    static std::string type() { return "never"; }
};

/// A union: the first alternative that accepts the value holds it (spec SCH-6). Absent it is its
/// default, whatever the alternatives say to null (spec SCH-7).
template <typename... Alternatives>
struct Setting<std::variant<Alternatives...>> {
    using Union = std::variant<Alternatives...>;

    static void read(const Value& value, Union& out, ConfigReader& reader) {
        std::vector<Diagnostic> tried;
        if (!(try_one<Alternatives>(value, out, reader, tried) || ...)) {
            reader.expected_union(type(), value, tried);
        }
    }

    static Value write(const Union& setting) {
        return std::visit(
            []<typename T>(const T& chosen) { return Setting<T>::write(chosen); }, setting
        );
    }

    static std::string type() {
        std::string text;
        ((text += (text.empty() ? "" : " | ") + Setting<Alternatives>::type()), ...);
        return text;
    }

private:
    template <typename T>
    static bool try_one(
        const Value& value, Union& out, const ConfigReader& reader, std::vector<Diagnostic>& tried
    ) {
        T candidate{};
        const auto read_candidate = [&](ConfigReader& trial) {
            Setting<T>::read(value, candidate, trial);
        };
        if (!reader.accepts(read_candidate, tried)) {
            return false;
        }
        out = std::move(candidate);
        return true;
    }
};

/// A list with one setting for each index (spec SCH-13). A missing item is an error unless its
/// setting accepts null, and so is one too many: every list of ours is read strictly.
template <typename... Items>
struct Setting<std::tuple<Items...>> {
    using Tuple = std::tuple<Items...>;

    static void read(const Value& value, Tuple& out, ConfigReader& reader) {
        const Value::Array* items = value.as_array();
        if (items == nullptr) {
            reader.expected("array", value);
            return;
        }
        const std::size_t before = reader.problems().size();
        const auto count = static_cast<double>(items->size());
        const NumberRules length{std::nullopt, double(sizeof...(Items)), std::nullopt};
        reader.check_number("array length", count, length, value);
        if (reader.problems().size() == before) {
            read_items(value, *items, out, reader, std::index_sequence_for<Items...>{});
        }
    }

    static Value write(const Tuple& setting) {
        return std::apply(
            [](const Items&... items) { return Value::Array{Setting<Items>::write(items)...}; },
            setting
        );
    }

    static std::string type() {
        std::string text;
        ((text += (text.empty() ? "" : ", ") + Setting<Items>::type()), ...);
        return '[' + text + ']';
    }

private:
    template <std::size_t... indices>
    static void read_items(
        const Value& list,
        const Value::Array& items,
        Tuple& out,
        ConfigReader& reader,
        std::index_sequence<indices...> /*all*/
    ) {
        (read_item<indices>(list, items, out, reader), ...);
    }

    template <std::size_t index>
    static void read_item(
        const Value& list, const Value::Array& items, Tuple& out, ConfigReader& reader
    ) {
        using Item = std::tuple_element_t<index, Tuple>;
        if (index < items.size()) {
            reader.enter_item(index, [&] {
                Setting<Item>::read(items[index], std::get<index>(out), reader);
            });
            return;
        }
        std::vector<Diagnostic> tried;
        const auto read_null = [&](ConfigReader& trial) {
            Setting<Item>::read(Value{}, std::get<index>(out), trial);
        };
        if (!reader.accepts(read_null, tried)) {
            reader.missing_item(index, list);
        }
    }
};

}  // namespace cordon
