#include <cordon/config/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace cordon {
namespace {

namespace json = boost::json;

constexpr std::string_view kExpressionKey = "__jsExpr";
constexpr double kExact = 9007199254740992.0;

json::value number_to_json(double number) {
    if (!std::isfinite(number)) {
        return nullptr;
    }
    if (std::trunc(number) == number && std::fabs(number) <= kExact) {
        return static_cast<std::int64_t>(number);
    }
    return number;
}

json::value array_to_json(const Value::Array& items) {
    json::array result;
    result.reserve(items.size());
    for (const Value& item : items) {
        result.push_back(to_json(item));
    }
    return result;
}

json::value object_to_json(const Object& members) {
    json::object result;
    for (const Member& member : members) {
        result.emplace(member.key, to_json(member.value));
    }
    return result;
}

Value object_from_json(const json::object& members) {
    const json::value* source = members.if_contains(kExpressionKey);
    if (source != nullptr && source->is_string() && members.size() == 1) {
        return Expression{std::string{source->get_string()}};
    }
    Object result;
    for (const json::key_value_pair& member : members) {
        result.append(Member{std::string{member.key()}, from_json(member.value()), {}});
    }
    return result;
}

}  // namespace

json::value to_json(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::null:
            break;
        case Value::Kind::boolean:
            return *value.as_boolean();
        case Value::Kind::number:
            return number_to_json(*value.as_number());
        case Value::Kind::string:
            return json::string{*value.as_string()};
        case Value::Kind::expression:
            return json::object{{kExpressionKey, value.as_expression()->source}};
        case Value::Kind::array:
            return array_to_json(*value.as_array());
        case Value::Kind::object:
            return object_to_json(*value.as_object());
    }
    return nullptr;
}

Value from_json(const json::value& json) {
    switch (json.kind()) {
        case json::kind::null:
            break;
        case json::kind::bool_:
            return json.get_bool();
        case json::kind::int64:
        case json::kind::uint64:
        case json::kind::double_:
            return json.to_number<double>();
        case json::kind::string:
            return std::string{json.get_string()};
        case json::kind::array: {
            Value::Array items;
            for (const json::value& item : json.get_array()) {
                items.push_back(from_json(item));
            }
            return items;
        }
        case json::kind::object:
            return object_from_json(json.get_object());
    }
    return nullptr;
}

}  // namespace cordon
