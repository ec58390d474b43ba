#include <cordon/config/expression.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/parser.hpp>
#include <cordon/config/expression/url.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace cordon {
namespace {

using namespace expression;

constexpr std::size_t kMaxSource = 64U * 1024;

/// Where the character at `offset` of the expression stands in the file. Exact for plain text, for
/// quoted text without escapes and for literal blocks; folded lines count as one.
Place place_in(const Expression& expression, const Mark& mark, std::size_t offset) {
    Place place = mark.place();
    if (place.line == 0) {
        return place;
    }
    const std::string_view before = std::string_view{expression.source}.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is no line before
    place.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const std::string_view line = before.substr(line_start);
    // Every byte that does not continue a character.
    place.column += static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U;
    }));
    return place;
}

Diagnostic diagnostic(const Expression& expression, const Mark& mark, const Refusal& refusal) {
    return Diagnostic{
        Severity::error,
        place_in(expression, mark, refusal.offset),
        "expression",
        refusal.problem,
        refusal.hint};
}

Refusal as_refusal(const Thrown& thrown) {
    if (!thrown.is_public) {
        return Refusal{
            thrown.offset,
            "the expression threw an error, whose text is not shown because it may hold a value of "
            "the environment",
            thrown.hint};
    }
    const auto* error = thrown.value.get_if<ErrorPtr>();
    return Refusal{
        thrown.offset, error != nullptr ? (*error)->message : to_text(thrown.value), thrown.hint};
}

/// Errors: `Refusal`.
NodePtr parsed(const Expression& expression) {
    if (expression.source.size() > kMaxSource) {
        refuse(0, fmt::format("expected at most {} bytes, found more", kMaxSource));
    }
    return Parser{expression.source}.parse();
}

/// The value for the config, where nothing is undefined below the top.
///
/// Errors: `Refusal` for what is no data.
class Result {
public:
    explicit Result(const Mark& mark) : mark_(mark) { mark_.is_computed = true; }

    [[nodiscard]] Value from(const JsValue& value) const {
        Value result = plain(value);
        result.set_mark(mark_);
        return result;
    }

private:
    [[nodiscard]] Value plain(const JsValue& value) const {
        if (value.is_nullish()) {
            return {};
        }
        if (const bool* boolean = value.get_if<bool>()) {
            return *boolean;
        }
        if (const double* number = value.get_if<double>()) {
            return *number;
        }
        if (const std::string* text = value.text()) {
            return *text;
        }
        if (const JsArray* items = value.array()) {
            return list(*items);
        }
        if (const JsObject* members = value.object()) {
            return mapping(*members);
        }
        if (const auto* url = value.get_if<UrlPtr>()) {
            return (*url)->href();
        }
        refuse(
            0,
            fmt::format("expected a value, found {}", described(value)),
            "Give a text, number, boolean, list or mapping"
        );
    }

    [[nodiscard]] Value list(const JsArray& items) const {
        Value::Array result;
        for (const JsValue& item : items) {
            result.push_back(from(item));
        }
        return result;
    }

    [[nodiscard]] Value mapping(const JsObject& members) const {
        Object result;
        for (const auto& [key, value] : members) {
            if (!value.is_undefined()) {
                result.append(Member{key, from(value), mark_});
            }
        }
        return result;
    }

    Mark mark_;
};

std::optional<Value> interpolated_list(const Value::Array& items, const ExpressionScope& scope) {
    Value::Array result;
    for (const Value& item : items) {
        std::optional<Value> value = interpolate(item, scope);
        if (!value) {
            value.emplace();
            value->set_mark(item.mark());
        }
        result.push_back(*std::move(value));
    }
    return result;
}

std::optional<Value> interpolated_mapping(const Object& members, const ExpressionScope& scope) {
    Object result;
    for (const Member& member : members) {
        if (std::optional<Value> value = interpolate(member.value, scope)) {
            result.append(Member{member.key, *std::move(value), member.key_mark});
        }
    }
    return result;
}

}  // namespace

std::optional<Value> evaluate(
    const Expression& expression, const Mark& mark, const ExpressionScope& scope
) {
    Evaluator evaluator{scope};
    Refusal failure;
    try {
        const NodePtr tree = parsed(expression);
        const JsValue value = tree ? evaluator.evaluate(*tree) : JsValue{};
        return value.is_undefined() ? std::nullopt : std::optional{Result{mark}.from(value)};
    } catch (const Refusal& refusal) {
        failure = refusal;
    } catch (const Thrown& thrown) {
        failure = as_refusal(thrown);
    }
    throw DiagnosticError{diagnostic(expression, mark, failure)};
}

std::vector<Diagnostic> check_expression(const Expression& expression, const Mark& mark) {
    try {
        (void)parsed(expression);
    } catch (const Refusal& refusal) {
        return {diagnostic(expression, mark, refusal)};
    }
    return {};
}

std::optional<Value> interpolate(const Value& raw, const ExpressionScope& scope) {
    if (const Expression* expression = raw.as_expression()) {
        return evaluate(*expression, raw.mark(), scope);
    }
    std::optional<Value> result;
    if (const Value::Array* items = raw.as_array()) {
        result = interpolated_list(*items, scope);
    } else if (const Object* members = raw.as_object()) {
        result = interpolated_mapping(*members, scope);
    } else {
        return raw;
    }
    result->set_mark(raw.mark());
    return result;
}

}  // namespace cordon
