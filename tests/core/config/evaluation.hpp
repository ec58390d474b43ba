#pragma once

#include "support.hpp"

#include <cordon/config/expression.hpp>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cordon::testing {

/// A host with an environment, one service and a few names.
inline ExpressionScope host_scope() {
    ExpressionScope scope;
    scope.environment = {
        {"HOME", "/home/dev"}, {"TOKEN", "key-123"}, {"LIST", "a,,b"}, {"N", "2000"}};
    scope.cwd = "/srv/app";
    scope.pid = 42;
    scope.executable = "/usr/bin/cordon";
    scope.version = "v1.2.3";
    scope.home = "/home/dev/.cordon";
    scope.names.emplace("baseUrl", Value{"file:///srv/app/"});
    scope.service = [](std::string_view name) -> std::optional<Value> {
        if (name == "web") {
            return Value{Object{{"port", 4000}, {"hosts", Value::Array{"a.example"}}}};
        }
        return std::nullopt;
    };
    return scope;
}

inline Mark file_mark(std::uint32_t line = 1, std::uint32_t column = 1) {
    Mark mark;
    mark.file = std::make_shared<const std::string>("test.yml");
    mark.line = line;
    mark.column = column;
    return mark;
}

inline std::optional<Value> evaluated(std::string_view source) {
    return evaluate(Expression{std::string{source}}, file_mark(), host_scope());
}

/// The value of an expression that has one.
inline Value value_of(std::string_view source) {
    const std::optional<Value> value = evaluated(source);
    REQUIRE_MESSAGE(value.has_value(), std::string{source});
    return *value;
}

/// The problem as people see it; empty where there is none.
inline std::string evaluation_problem(std::string_view source) {
    return to_string(problems_of([&] { (void)evaluated(source); }));
}

/// Whether the text is refused before anything is evaluated.
inline bool is_refused(std::string_view source) {
    return !check_expression(Expression{std::string{source}}, file_mark()).empty();
}

/// Checks a table of expressions and their values, the values written as YAML.
inline void check_values(std::initializer_list<std::pair<std::string_view, std::string_view>> table
) {
    for (const auto& [source, expected] : table) {
        CAPTURE(std::string{source});
        std::optional<Value> value;
        CHECK_NOTHROW(value = evaluated(source));
        if (expected == "undefined") {
            CHECK(!value.has_value());
        } else {
            CHECK(value == parsed(expected));
        }
    }
}

}  // namespace cordon::testing
