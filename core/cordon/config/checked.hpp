#pragma once

#include <cordon/config/config_reader.hpp>
#include <cordon/config/setting.hpp>
#include <cordon/config/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cordon {

/// A setting that keeps rules beyond its type. `Rules` is a type with any of the static members
/// `min`, `max`, `step` (numbers), `min_length`, `max_length` (texts in UTF-16 units, lists) and
/// `pattern` (texts; what the regular expressions of the dialect know, found anywhere in the text):
///
///     struct PortRules { static constexpr double min = 1024, max = 65535; };
///     Checked<int, PortRules> port{8080};
///
/// A default that breaks the rules is reported when it is used (spec SCH-2).
template <typename T, typename Rules>
struct Checked {
    T value{};

    operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)

    friend auto operator<=>(const Checked&, const Checked&) = default;
};

/// Whole and not negative (spec SCH-10).
struct NaturalRules {
    static constexpr double min = 0;
    static constexpr double step = 1;
};

/// 0 to 1 in hundredths (spec SCH-10).
struct PercentRules {
    static constexpr double min = 0;
    static constexpr double max = 1;
    static constexpr double step = 0.01;
};

template <typename T, typename Rules>
struct Setting<Checked<T, Rules>> {
    static void read(const Value& value, Checked<T, Rules>& out, ConfigReader& reader) {
        const std::size_t before = reader.problems().size();
        Setting<T>::read(value, out.value, reader);
        if (reader.problems().size() == before) {
            check(out, value, reader);
        }
    }

    static void check(const Checked<T, Rules>& setting, const Value& found, ConfigReader& reader) {
        if constexpr (std::is_arithmetic_v<T>) {
            reader.check_number(
                "number", static_cast<double>(setting.value), number_rules(), found
            );
        } else if constexpr (std::is_same_v<T, std::string>) {
            std::string_view pattern;
            if constexpr (requires { Rules::pattern; }) {
                pattern = Rules::pattern;
            }
            reader.check_text(setting.value, length_rules(), pattern, found);
        } else {
            const auto length = static_cast<double>(setting.value.size());
            reader.check_number("array length", length, length_rules(), found);
        }
    }

    static Value write(const Checked<T, Rules>& setting) {
        return Setting<T>::write(setting.value);
    }

    static std::string type() { return Setting<T>::type(); }

private:
    static NumberRules number_rules() {
        NumberRules rules;
        if constexpr (requires { Rules::min; }) {
            rules.min = Rules::min;
        }
        if constexpr (requires { Rules::max; }) {
            rules.max = Rules::max;
        }
        if constexpr (requires { Rules::step; }) {
            rules.step = Rules::step;
        }
        return rules;
    }

    static NumberRules length_rules() {
        NumberRules rules;
        if constexpr (requires { Rules::min_length; }) {
            rules.min = Rules::min_length;
        }
        if constexpr (requires { Rules::max_length; }) {
            rules.max = Rules::max_length;
        }
        return rules;
    }
};

}  // namespace cordon
