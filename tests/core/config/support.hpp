#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>
#include <cordon/config/yaml.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::testing {

/// The value of a document that holds one.
inline Value parsed(std::string_view text) {
    std::optional<Value> value = parse_yaml(text, "test.yml");
    REQUIRE(value.has_value());
    return *std::move(value);
}

/// The value of `key` in a document that is a mapping.
inline Value parsed_key(std::string_view text, std::string_view key) {
    const Value document = parsed(text);
    REQUIRE(document.as_object() != nullptr);
    const Value* value = document.as_object()->find(key);
    REQUIRE(value != nullptr);
    return *value;
}

/// What `action` refuses; empty where it refuses nothing.
template <typename Action>
std::vector<Diagnostic> problems_of(Action action) {
    try {
        action();
    } catch (const DiagnosticError& error) {
        return error.diagnostics();
    }
    return {};
}

inline std::vector<Diagnostic> yaml_problems(std::string_view text) {
    return problems_of([&] { (void)parse_yaml(text, "test.yml"); });
}

/// The one problem of the text, as people see it.
inline std::string yaml_problem(std::string_view text) {
    const std::vector<Diagnostic> problems = yaml_problems(text);
    return to_string(problems);
}

}  // namespace cordon::testing
