#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/regex.hpp>
#include <cordon/config/expression/url.hpp>
#include <cordon/config/expression/utf.hpp>
#include <cordon/config/number_text.hpp>
#include <cordon/config/yaml.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace cordon::expression {
namespace {

/// What every object of JavaScript answers to; an own key of the same name goes first.
constexpr std::array<std::string_view, 10> kInherited{
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
    "__proto__",
    "__defineGetter__",
    "__lookupGetter__"};

/// The number that a key such as `12` says.
std::optional<std::size_t> as_index(std::string_view key) {
    const bool is_canonical = key == "0" || (!key.empty() && key[0] != '0' && key.size() < 10);
    if (!is_canonical || key.find_first_not_of("0123456789") != std::string_view::npos) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(decimal_number(key));
}

std::optional<JsValue> method(
    std::span<const NativeFunction> methods, const JsValue& self, std::string_view key
) {
    const NativeFunction* function = find_function(methods, key);
    if (function == nullptr) {
        return std::nullopt;
    }
    return JsValue{std::make_shared<const BoundFunction>(BoundFunction{function, self})};
}

std::optional<JsValue> text_property(
    Evaluator& evaluator, const JsValue& self, const std::string& key, std::size_t offset
) {
    const std::string& text = *self.text();
    evaluator.spend(text.size() / 64, offset);
    if (key == "length") {
        return static_cast<double>(utf16_length(text));
    }
    if (const std::optional<std::size_t> index = as_index(key)) {
        std::size_t at = byte_offset(text, *index);
        if (at >= text.size()) {
            return JsValue{};
        }
        std::string character;
        append_character(character, decode_character(text, at));
        return evaluator.text(std::move(character), offset);
    }
    return method(text_methods(), self, key);
}

std::optional<JsValue> array_property(const JsValue& self, const std::string& key) {
    const JsArray& items = *self.array();
    if (key == "length") {
        return static_cast<double>(items.size());
    }
    if (const std::optional<std::size_t> index = as_index(key)) {
        return *index < items.size() ? items[*index] : JsValue{};
    }
    return method(array_methods(), self, key);
}

std::optional<JsValue> object_property(const JsObject& members, const std::string& key) {
    if (const JsValue* found = find_member(members, key)) {
        return *found;
    }
    const bool is_inherited =
        std::find(kInherited.begin(), kInherited.end(), key) != kInherited.end();
    return is_inherited ? std::nullopt : std::optional{JsValue{}};
}

std::optional<JsValue> namespace_property(
    Evaluator& evaluator, const JsValue& self, const std::string& key
) {
    const Namespace& host = **self.get_if<const Namespace*>();
    if (std::optional<JsValue> found = method(host.functions, self, key)) {
        return found;
    }
    return host.property == nullptr ? std::nullopt : host.property(evaluator, key);
}

std::optional<JsValue> url_property(
    Evaluator& evaluator, const JsValue& self, const std::string& key, std::size_t offset
) {
    const Url& url = **self.get_if<UrlPtr>();
    const std::pair<std::string_view, std::string> parts[] = {
        {"href", url.href()},
        {"protocol", url.scheme + ':'},
        {"host", url.host_and_port()},
        {"hostname", url.host},
        {"port", url.port},
        {"pathname", url.pathname()},
        {"search", url.query && !url.query->empty() ? '?' + *url.query : ""},
        {"hash", url.fragment && !url.fragment->empty() ? '#' + *url.fragment : ""},
        {"origin", url.origin()},
        {"username", url.username},
        {"password", url.password}};
    for (const auto& [name, part] : parts) {
        if (name == key) {
            return evaluator.text(part, offset);
        }
    }
    return method(url_methods(), self, key);
}

std::optional<JsValue> error_property(
    Evaluator& evaluator, const ErrorObject& error, const std::string& key, std::size_t offset
) {
    if (key == "message") {
        return evaluator.text(error.message, offset);
    }
    if (key == "name") {
        return evaluator.text(error.name, offset);
    }
    return std::nullopt;
}

std::optional<JsValue> known_property(
    Evaluator& evaluator, const JsValue& object, const std::string& key, std::size_t offset
) {
    if (object.text() != nullptr) {
        return text_property(evaluator, object, key, offset);
    }
    if (object.array() != nullptr) {
        return array_property(object, key);
    }
    if (const JsObject* members = object.object()) {
        evaluator.spend(members->size() / 8, offset);
        return object_property(*members, key);
    }
    if (object.get_if<const Namespace*>() != nullptr) {
        return namespace_property(evaluator, object, key);
    }
    if (object.get_if<UrlPtr>() != nullptr) {
        return url_property(evaluator, object, key, offset);
    }
    if (const auto* error = object.get_if<ErrorPtr>()) {
        return error_property(evaluator, **error, key, offset);
    }
    if (object.get_if<RegexPtr>() != nullptr) {
        return method(regex_methods(), object, key);
    }
    const bool is_plain = object.get_if<double>() != nullptr || object.get_if<bool>() != nullptr;
    return is_plain ? method(number_methods(), object, key) : std::nullopt;
}

/// Keys that are whole numbers come first, in order, as in JavaScript.
void order_members(JsObject& members) {
    const auto others =
        std::stable_partition(members.begin(), members.end(), [](const auto& member) {
            return as_index(member.first).has_value();
        });
    std::sort(members.begin(), others, [](const auto& left, const auto& right) {
        return *as_index(left.first) < *as_index(right.first);
    });
}

}  // namespace

JsValue property_of(
    Evaluator& evaluator, const JsValue& object, const std::string& key, std::size_t offset
) {
    if (std::optional<JsValue> found = known_property(evaluator, object, key, offset)) {
        return *std::move(found);
    }
    // The key may be computed from the environment, so only one that JavaScript knows is shown.
    const auto* host = object.get_if<const Namespace*>();
    const std::string_view subject = host != nullptr ? (*host)->name : described(object);
    const bool is_short = key.size() <= 24 && std::all_of(key.begin(), key.end(), [](char c) {
                              return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                          });
    refuse(
        offset,
        is_short ? fmt::format("'{}' of {} is not supported in expressions", key, subject)
                 : fmt::format("this property of {} is not supported in expressions", subject),
        "Compute the value in another way, or outside of the file"
    );
}

JsObject own_members(Evaluator& evaluator, const JsValue& value, std::size_t offset) {
    evaluator.spend(weight_of(value) / 16, offset);
    JsObject members;
    if (const JsObject* own = value.object()) {
        members = *own;
        order_members(members);
        return members;
    }
    const auto* host = value.get_if<const Namespace*>();
    if (host != nullptr && *host == &kEnvironment) {
        evaluator.read_private();
        for (const auto& [name, text] : evaluator.scope().environment) {
            members.emplace_back(name, evaluator.text(text, offset));
        }
        return members;
    }
    if (host != nullptr) {
        refuse(
            offset, fmt::format("the members of {} are not available in expressions", (*host)->name)
        );
    }
    if (const JsArray* items = value.array()) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            members.emplace_back(std::to_string(i), (*items)[i]);
        }
    } else if (value.text() != nullptr) {
        refuse(offset, "the characters of a string as members are not supported in expressions");
    }
    return members;
}

std::string shown(const JsValue& value, std::size_t offset) {
    if (value.is_callable()) {
        refuse(
            offset,
            "expected a value, found a function, whose text is its source",
            "Call the function: add '()'"
        );
    }
    return to_text(value);
}

std::optional<JsValue> context_property(
    Evaluator& evaluator, const std::string& name, std::size_t offset
) {
    const ExpressionScope& scope = evaluator.scope();
    if (const auto found = scope.names.find(name); found != scope.names.end()) {
        return evaluator.from_host(found->second, offset);
    }
    const bool is_home = name == "cordonHomePath" || name == "dshHomePath";
    if (is_home && !scope.home.empty()) {
        return JsValue{std::make_shared<const BoundFunction>(BoundFunction{&kHomePath, JsValue{}})};
    }
    if (scope.service) {
        if (const std::optional<Value> found = scope.service(name)) {
            evaluator.read_private();
            return evaluator.from_host(*found, offset);
        }
    }
    return std::nullopt;
}

}  // namespace cordon::expression
