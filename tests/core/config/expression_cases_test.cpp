#include "../../support/skip.hpp"
#include "../../support/temporary_folder.hpp"
#include "cases.hpp"
#include "evaluation.hpp"

#include <cordon/config/json.hpp>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace cordon::testing {
namespace {

namespace json = boost::json;

std::string text_at(const json::object& object, std::string_view key) {
    return std::string{object.at(key).as_string()};
}

/// The scope that the collection was made with.
ExpressionScope collected_scope(const json::object& given) {
    ExpressionScope scope;
    for (const auto& member : given.at("env").as_object()) {
        scope.environment.emplace(member.key(), member.value().as_string());
    }
    scope.cwd = text_at(given, "cwd");
    scope.platform = text_at(given, "platform");
    scope.pid = given.at("pid").to_number<int>();
    scope.version = text_at(given, "version");
    scope.home = text_at(given, "home");
    scope.names.emplace("baseUrl", Value{text_at(given, "baseUrl")});
    const Value services = from_json(given.at("services"));
    scope.service = [services](std::string_view name) -> std::optional<Value> {
        const Value* found = services.as_object()->find(name);
        return found == nullptr ? std::nullopt : std::optional{*found};
    };
    return scope;
}

/// JSON has no undefined, no NaN and no URL: the collection writes them as marks.
bool is_result(const std::optional<Value>& value, const json::value& golden) {
    const json::object* mark = golden.if_object();
    if (mark != nullptr && mark->contains("$undefined")) {
        return !value.has_value();
    }
    if (!value) {
        return false;
    }
    if (mark != nullptr && mark->contains("$url")) {
        return *value == Value{text_at(*mark, "$url")};
    }
    const double* number = value->as_number();
    if (golden.is_null() && number != nullptr) {
        return std::isnan(*number);
    }
    return *value == from_json(golden);
}

/// A regular expression is no data here; JavaScript hands an empty object on.
bool is_refused_on_purpose(const std::string& source) {
    return source == "/^abc$/";
}

TEST_SUITE("expressions of other projects") {
    TEST_CASE("each gives the value that JavaScript gives, or fails in both") {
        const auto cases = cases_folder();
        if (!cases) {
            CORDON_SKIP("no collected expressions here: set CORDON_CASES");
        }
        const json::value all = json::parse(read_file(*cases / "expressions.json"));
        const ExpressionScope scope = collected_scope(all.at("scope").as_object());
        CHECK(all.at("cases").as_array().size() >= 347);
        for (const json::value& entry : all.at("cases").as_array()) {
            const std::string source = text_at(entry.as_object(), "expr");
            CAPTURE(source);
            const json::value* golden = entry.as_object().if_contains("result");
            std::optional<Value> value;
            const auto problems =
                problems_of([&] { value = evaluate(Expression{source}, file_mark(), scope); });
            CAPTURE(to_string(problems));
            if (golden == nullptr || is_refused_on_purpose(source)) {
                CHECK(!problems.empty());
            } else {
                CHECK(problems.empty());
                CHECK(is_result(value, *golden));
            }
        }
    }
}

}  // namespace
}  // namespace cordon::testing
