#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/checked.hpp>
#include <cordon/config/config_reader.hpp>
#include <cordon/config/schema.hpp>
#include <cordon/config/setting.hpp>
#include <cordon/config/setting_struct.hpp>
#include <cordon/config/setting_union.hpp>
#include <cordon/config/simplify.hpp>
#include <cordon/config/value.hpp>

#include <boost/mp11/algorithm.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// A config struct is an aggregate with member initialisers, described at namespace scope:
///
///     struct Config {
///         std::string workspace_root = ".";
///         std::chrono::milliseconds kill_grace{2000};
///         std::optional<Mode> mode;
///     };
///     BOOST_DESCRIBE_STRUCT(Config, (), (workspace_root, kill_grace, mode))
///
/// In files its keys are `workspaceRoot`, `killGraceMs` and `mode`. `setting.hpp`,
/// `setting_union.hpp` and `checked.hpp` list the types a member may have. Null, and a key that is
/// absent, mean the default.

namespace detail {

template <DescribedStruct Config>
std::pair<Config, std::vector<Diagnostic>> read_config(const Value& config, std::string subject) {
    ConfigReader reader{std::move(subject)};
    Config result{};
    Setting<Config>::read(config, result, reader);
    return {std::move(result), reader.problems()};
}

template <DescribedStruct Config>
Value describe_config() {
    const Config defaults{};
    Object keys;
    boost::mp11::mp_for_each<DescribedMembers<Config>>([&](auto descriptor) {
        using Field = std::remove_cvref_t<decltype(defaults.*descriptor.pointer)>;
        Object entry{{"type", Setting<Field>::type()}};
        if constexpr (DescribedStruct<Field>) {
            entry.set("keys", describe_config<Field>());
        } else {
            entry.set("default", Setting<Field>::write(defaults.*descriptor.pointer));
        }
        keys.set(Setting<Config>::key(descriptor), std::move(entry));
    });
    return keys;
}

}  // namespace detail

/// The config struct that an interpolated `config` holds. `subject` names it in messages.
///
/// Errors: `DiagnosticError` with every problem, each with the place of its value or key and the
/// path `$.targets[1].port` (spec SCH-16). The input is never changed, and the result shares
/// nothing with it or with the defaults (spec SCH-1, SCH-21).
template <DescribedStruct Config>
[[nodiscard]] Config decode(const Value& config, const std::string& subject = "config") {
    auto [result, problems] = detail::read_config<Config>(config, subject);
    if (!problems.empty()) {
        throw DiagnosticError{std::move(problems)};
    }
    return std::move(result);
}

/// The schema that accepts what `decode<Config>` accepts.
template <DescribedStruct Config>
[[nodiscard]] ConfigSchema schema_of() {
    ConfigSchema schema;
    schema.check = [](const Value& config) {
        return detail::read_config<Config>(config, "").second;
    };
    schema.describe = [] {
        return detail::describe_config<Config>();
    };
    schema.type = [] {
        return Setting<Config>::type();
    };
    schema.simplify = [](const Value& config) {
        return detail::simplified(config, Config{}).value_or(Object{});
    };
    return schema;
}

}  // namespace cordon
