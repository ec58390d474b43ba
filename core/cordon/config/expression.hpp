#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// What an expression may look at. Read-only; evaluation has no side effects.
struct ExpressionScope {
    /// `process.env`.
    std::map<std::string, std::string, std::less<>> environment;
    /// `process.cwd()`.
    std::string cwd;
    /// `process.platform`, `.arch`, `.pid`, `.execPath`, `.version`.
    std::string platform = "linux";
    std::string architecture = "x64";
    int pid = 0;
    std::string executable;
    std::string version;
    /// `cordonHomePath('a', 'b')` and its alias `dshHomePath` give `home/a/b`. Empty: there is no
    /// such function.
    std::string home;
    /// Bare names and `ctx.NAME` that the host gives, such as `baseUrl`.
    std::map<std::string, Value, std::less<>> names;
    /// `ctx.get('NAME')` and `ctx.NAME`: the values that an available service shows, empty where
    /// there is no such service. May be null.
    std::function<std::optional<Value>(std::string_view name)> service;
};

/// The value of `expression`, or nothing for `undefined`, which stands for "key absent". `mark` is
/// where the expression stood.
///
/// Errors: `DiagnosticError` naming the construct and its line and column in the file, for syntax
/// that is not supported, unknown names, failing calls and exceeded bounds. Never shows a value of
/// the environment.
[[nodiscard]] CORDON_API std::optional<Value> evaluate(
    const Expression& expression, const Mark& mark, const ExpressionScope& scope
);

/// Whether the text can be evaluated at all: every syntax error and unsupported construct, without
/// evaluating anything.
[[nodiscard]] CORDON_API std::vector<Diagnostic> check_expression(
    const Expression& expression, const Mark& mark
);

/// `raw` with every expression at any depth replaced by its value. A key whose expression is
/// `undefined` is left out; an `undefined` list item becomes null; nothing if `raw` itself is one.
///
/// Errors: as `evaluate`.
[[nodiscard]] CORDON_API std::optional<Value> interpolate(
    const Value& raw, const ExpressionScope& scope
);

}  // namespace cordon
