#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/json_text.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/url.hpp>
#include <cordon/config/number_text.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace cordon::expression {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 90;

JsValue from_json(const Invocation& call, const json::value& value) {
    switch (value.kind()) {
        case json::kind::null:
            break;
        case json::kind::bool_:
            return value.get_bool();
        case json::kind::int64:
        case json::kind::uint64:
        case json::kind::double_:
            return value.to_number<double>();
        case json::kind::string:
            return call.evaluator.text(std::string{value.get_string()}, call.offset);
        case json::kind::array: {
            JsArray items;
            for (const json::value& item : value.get_array()) {
                items.push_back(from_json(call, item));
            }
            return call.evaluator.array(std::move(items), call.offset);
        }
        case json::kind::object: {
            JsObject members;
            for (const json::key_value_pair& member : value.get_object()) {
                members.emplace_back(std::string{member.key()}, from_json(call, member.value()));
            }
            return call.evaluator.object(std::move(members), call.offset);
        }
    }
    return Null{};
}

std::string json_quoted(std::string_view text) {
    return json::serialize(json::string{text});
}

/// False where JSON has no form for the value, such as undefined.
bool write(const Invocation& call, const JsValue& value, std::string& out);

void write_array(const Invocation& call, const JsArray& items, std::string& out) {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
        out += i > 0 ? "," : "";
        if (!write(call, items[i], out)) {
            out += "null";
        }
    }
    out += ']';
}

void write_object(const Invocation& call, const JsValue& value, std::string& out) {
    out += '{';
    bool is_first = true;
    for (const auto& [key, member] : own_members(call.evaluator, value, call.offset)) {
        std::string text;
        if (write(call, member, text)) {
            out += std::exchange(is_first, false) ? "" : ",";
            out += json_quoted(key) + ':' + text;
        }
    }
    out += '}';
}

bool write(const Invocation& call, const JsValue& value, std::string& out) {
    if (value.is_undefined() || value.is_callable()) {
        return false;
    }
    if (const JsArray* items = value.array()) {
        write_array(call, *items, out);
    } else if (const double* number = value.get_if<double>()) {
        out += std::isfinite(*number) ? number_text(*number) : "null";
    } else if (const auto* url = value.get_if<UrlPtr>()) {
        out += json_quoted((*url)->href());
    } else if (value.is_object()) {
        write_object(call, value, out);
    } else {
        out += value.text() != nullptr ? json_quoted(*value.text()) : to_text(value);
    }
    return true;
}

}  // namespace

JsValue json_parse(const Invocation& call) {
    if (call.arguments.size() > 1) {
        refuse(call.offset, "JSON.parse with a reviver is not supported in expressions");
    }
    json::parse_options options;
    options.max_depth = kMaxDepth;
    boost::system::error_code error;
    const std::string text = shown(call.argument(0), call.offset);
    const json::value value = json::parse(text, error, {}, options);
    if (error) {
        throw_error(
            call.offset,
            "SyntaxError",
            "JSON.parse was given a text that is not valid JSON",
            "Check where the text comes from, or give a default: x ?? '{}'"
        );
    }
    return from_json(call, value);
}

JsValue json_stringify(const Invocation& call) {
    if (call.arguments.size() > 1) {
        refuse(
            call.offset, "JSON.stringify with more than a value is not supported in expressions"
        );
    }
    std::string text;
    return write(call, call.argument(0), text) ? call.evaluator.text(std::move(text), call.offset)
                                               : JsValue{};
}

}  // namespace cordon::expression
