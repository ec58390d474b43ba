#include <cordon/base/text.hpp>
#include <cordon/config/expression/builtins.hpp>
#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/utf.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cordon::expression {
namespace {

constexpr std::size_t kMaxDepth = 250;
constexpr std::size_t kMaxValueNesting = 100;
constexpr std::size_t kMaxWeight = 200'000;
constexpr std::size_t kMaxBytes = 8U * 1024 * 1024;

/// The source of a call for messages: `ctx.get`, `f`; "it" for anything longer.
std::string callee_name(const Node& node) {
    if (const auto* name = std::get_if<NameNode>(&node.data)) {
        return name->name;
    }
    const auto* member = std::get_if<MemberNode>(&node.data);
    if (member == nullptr || member->computed_key) {
        return "it";
    }
    const std::string object = callee_name(*member->object);
    return object == "it" ? member->name : object + '.' + member->name;
}

bool compares_texts(const JsValue& left, const JsValue& right) {
    return left.text() != nullptr && right.text() != nullptr;
}

template <typename Compare>
bool compared(const JsValue& left, const JsValue& right, Compare compare) {
    if (compares_texts(left, right)) {
        return compare(left.text()->compare(*right.text()), 0);
    }
    return compare(to_number(left), to_number(right));
}

}  // namespace

Evaluator::Depth::Depth(Evaluator& evaluator, std::size_t offset) : evaluator_(evaluator) {
    evaluator.spend(1, offset);
    if (evaluator.depth_ == kMaxDepth) {
        refuse(offset, "expected less nesting of calls and values", "Simplify the expression");
    }
    ++evaluator.depth_;
}

void set_member(JsObject& members, std::string key, JsValue value) {
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& member) {
        return member.first == key;
    });
    if (found == members.end()) {
        members.emplace_back(std::move(key), std::move(value));
    } else {
        found->second = std::move(value);
    }
}

const JsValue* find_member(const JsObject& members, std::string_view key) {
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& member) {
        return member.first == key;
    });
    return found == members.end() ? nullptr : &found->second;
}

JsValue Evaluator::evaluate(const Node& node) {
    const Depth depth{*this, node.offset};
    return std::visit([&](const auto& data) { return evaluate(data, node.offset); }, node.data);
}

JsValue Evaluator::text(std::string content, std::size_t offset) {
    bytes_ += content.size() + sizeof(content);
    spend(content.size() / 64, offset);
    if (bytes_ > kMaxBytes) {
        refuse(offset, fmt::format("expected at most {} bytes of values, found more", kMaxBytes));
    }
    return std::make_shared<const std::string>(std::move(content));
}

template <typename Content>
JsValue Evaluator::nested(
    Content content, std::size_t depth, std::size_t weight, std::size_t offset
) {
    bytes_ += content.size() * sizeof(typename Content::value_type);
    spend(content.size() / 8, offset);
    if (depth > kMaxValueNesting || weight > kMaxWeight || bytes_ > kMaxBytes) {
        refuse(offset, "expected a smaller value", "Simplify the expression");
    }
    return std::make_shared<const Nested<Content>>(Nested<Content>{
        std::move(content), depth, weight});
}

JsValue Evaluator::array(JsArray items, std::size_t offset) {
    std::size_t depth = 0;
    std::size_t weight = 1;
    for (const JsValue& item : items) {
        depth = std::max(depth, nesting_of(item));
        weight += weight_of(item);
    }
    return nested(std::move(items), depth + 1, weight, offset);
}

JsValue Evaluator::object(JsObject members, std::size_t offset) {
    std::size_t depth = 0;
    std::size_t weight = 1;
    for (const auto& [key, value] : members) {
        depth = std::max(depth, nesting_of(value));
        weight += weight_of(value) + key.size() / 16;
        bytes_ += key.size();
    }
    return nested(std::move(members), depth + 1, weight, offset);
}

JsValue Evaluator::from_host(const Value& value, std::size_t offset) {
    const Depth depth{*this, offset};
    switch (value.kind()) {
        case Value::Kind::null:
            return Null{};
        case Value::Kind::boolean:
            return *value.as_boolean();
        case Value::Kind::number:
            return *value.as_number();
        case Value::Kind::string:
            return text(*value.as_string(), offset);
        case Value::Kind::expression:
            return {};
        case Value::Kind::array: {
            JsArray items;
            for (const Value& item : *value.as_array()) {
                items.push_back(from_host(item, offset));
            }
            return array(std::move(items), offset);
        }
        case Value::Kind::object: {
            JsObject members;
            for (const Member& member : *value.as_object()) {
                members.emplace_back(member.key, from_host(member.value, offset));
            }
            return object(std::move(members), offset);
        }
    }
    return {};
}

void Evaluator::spend(std::size_t steps, std::size_t offset) {
    if (steps_ < steps) {
        steps_ = 0;
        refuse(
            offset, "expected an expression that ends in fewer steps", "Simplify the expression"
        );
    }
    steps_ -= steps;
}

std::optional<JsValue> Evaluator::find_name(const std::string& name, std::size_t offset) {
    for (const Bindings* bindings = bindings_; bindings != nullptr; bindings = bindings->parent) {
        for (auto bound = bindings->names.rbegin(); bound != bindings->names.rend(); ++bound) {
            if (bound->first == name) {
                return bound->second;
            }
        }
    }
    if (std::optional<JsValue> found = context_property(*this, name, offset)) {
        return found;
    }
    return global(name);
}

JsValue Evaluator::evaluate(const NameNode& node, std::size_t offset) {
    if (std::optional<JsValue> found = find_name(node.name, offset)) {
        return *std::move(found);
    }
    const std::optional<std::string> nearest = nearest_name(node.name, global_names());
    throw_error(
        offset,
        "ReferenceError",
        fmt::format("{} is not defined", node.name),
        nearest ? fmt::format("Write '{}' if that is meant", *nearest)
                : fmt::format("Ask with typeof {} whether the host gives the name", node.name)
    );
}

JsValue Evaluator::evaluate(const TemplateNode& node, std::size_t offset) {
    std::string result = node.texts[0];
    for (std::size_t i = 0; i < node.values.size(); ++i) {
        const JsValue value = evaluate(*node.values[i]);
        spend(weight_of(value) / 16, offset);
        result += shown(value, node.values[i]->offset);
        result += node.texts[i + 1];
    }
    return text(std::move(result), offset);
}

JsValue Evaluator::evaluate(const ArrayNode& node, std::size_t offset) {
    return array(elements(node.items), offset);
}

JsArray Evaluator::elements(const std::vector<Element>& elements) {
    JsArray result;
    for (const Element& element : elements) {
        JsValue value = evaluate(*element.value);
        if (element.is_spread) {
            spread(result, value, element.value->offset);
        } else {
            result.push_back(std::move(value));
        }
    }
    return result;
}

void Evaluator::spread(JsArray& out, const JsValue& value, std::size_t offset) {
    if (const JsArray* items = value.array()) {
        spend(items->size(), offset);
        out.insert(out.end(), items->begin(), items->end());
        return;
    }
    const std::string* characters = value.text();
    if (characters == nullptr) {
        throw_error(
            offset,
            "TypeError",
            fmt::format("{} is not iterable", described(value)),
            "Spread a list, or give a default: ...(x ?? [])"
        );
    }
    for (std::size_t at = 0; at < characters->size();) {
        std::string character;
        append_character(character, decode_character(*characters, at));
        out.push_back(text(std::move(character), offset));
    }
}

JsValue Evaluator::evaluate(const ObjectNode& node, std::size_t offset) {
    JsObject members;
    for (const Property& property : node.properties) {
        if (property.is_spread) {
            spread(members, evaluate(*property.value), offset);
            continue;
        }
        std::string key =
            property.computed_key ? shown(evaluate(*property.computed_key), offset) : property.name;
        spend(members.size() / 8, offset);
        set_member(members, std::move(key), evaluate(*property.value));
    }
    return object(std::move(members), offset);
}

void Evaluator::spread(JsObject& out, const JsValue& value, std::size_t offset) {
    for (auto& [key, member] : own_members(*this, value, offset)) {
        spend(1 + out.size() / 8, offset);
        set_member(out, key, member);
    }
}

JsValue Evaluator::evaluate(const NewNode& node, std::size_t offset) {
    const std::optional<JsValue> type = find_name(node.type, offset);
    const auto* host = type ? type->get_if<const Namespace*>() : nullptr;
    if (host == nullptr || (*host)->construct == nullptr) {
        refuse(
            offset,
            fmt::format("'new {}' is not supported in expressions", node.type),
            "Use only new URL and new Error"
        );
    }
    const JsArray arguments = elements(node.arguments);
    return (*host)->construct(Invocation{*this, JsValue{}, arguments, offset});
}

JsValue Evaluator::evaluate(const UnaryNode& node, std::size_t offset) {
    if (node.operation == Operator::type_of) {
        // An unknown name is undefined here, on purpose.
        const auto* name = std::get_if<NameNode>(&node.operand->data);
        const JsValue value = name == nullptr ? evaluate(*node.operand)
                                              : find_name(name->name, offset).value_or(JsValue{});
        return text(std::string{type_of(value)}, offset);
    }
    const JsValue value = evaluate(*node.operand);
    spend(weight_of(value) / 16, offset);
    switch (node.operation) {
        case Operator::logical_not:
            return !is_truthy(value);
        case Operator::negate:
            return -to_number(value);
        case Operator::to_number:
            return to_number(value);
        default:
            return {};
    }
}

JsValue Evaluator::evaluate(const BinaryNode& node, std::size_t offset) {
    JsValue left = evaluate(*node.left);
    switch (node.operation) {
        case Operator::coalesce:
            return left.is_nullish() ? evaluate(*node.right) : left;
        case Operator::logical_or:
            return is_truthy(left) ? left : evaluate(*node.right);
        case Operator::logical_and:
            return is_truthy(left) ? evaluate(*node.right) : left;
        default:
            return arithmetic(node.operation, left, evaluate(*node.right), offset);
    }
}

JsValue Evaluator::arithmetic(
    Operator operation, const JsValue& left, const JsValue& right, std::size_t offset
) {
    spend((weight_of(left) + weight_of(right)) / 16, offset);
    switch (operation) {
        case Operator::strictly_equal:
            return left.same(right);
        case Operator::strictly_unequal:
            return !left.same(right);
        case Operator::equal:
            return loosely_equal(left, right);
        case Operator::unequal:
            return !loosely_equal(left, right);
        case Operator::less:
            return compared(left, right, [](auto a, auto b) { return a < b; });
        case Operator::less_or_equal:
            return compared(left, right, [](auto a, auto b) { return a <= b; });
        case Operator::greater:
            return compared(left, right, [](auto a, auto b) { return a > b; });
        case Operator::greater_or_equal:
            return compared(left, right, [](auto a, auto b) { return a >= b; });
        case Operator::subtract:
            return to_number(left) - to_number(right);
        case Operator::multiply:
            return to_number(left) * to_number(right);
        case Operator::divide:
            return to_number(left) / to_number(right);
        case Operator::remainder:
            return std::fmod(to_number(left), to_number(right));
        default:
            break;
    }
    const auto is_text = [](const JsValue& value) {
        return value.text() != nullptr || value.is_object();
    };
    if (is_text(left) || is_text(right)) {
        return text(shown(left, offset) + shown(right, offset), offset);
    }
    return to_number(left) + to_number(right);
}

JsValue Evaluator::evaluate(const ConditionalNode& node, std::size_t /*offset*/) {
    return evaluate(is_truthy(evaluate(*node.condition)) ? *node.if_true : *node.if_false);
}

std::optional<JsValue> Evaluator::link(const Node& node) {
    const Depth depth{*this, node.offset};
    if (const auto* inner = std::get_if<MemberNode>(&node.data)) {
        return member(*inner, node.offset);
    }
    if (const auto* inner = std::get_if<CallNode>(&node.data)) {
        return call(*inner, node.offset);
    }
    return evaluate(node);
}

std::optional<JsValue> Evaluator::member(const MemberNode& node, std::size_t offset) {
    const std::optional<JsValue> object = link(*node.object);
    if (!object || (node.is_optional && object->is_nullish())) {
        return std::nullopt;
    }
    if (!node.computed_key) {
        if (object->is_nullish()) {
            throw_error(
                offset,
                "TypeError",
                fmt::format(
                    "Cannot read properties of {} (reading '{}')", described(*object), node.name
                ),
                fmt::format(
                    "'{}' is {}: write '?.{}', or inject the service",
                    callee_name(*node.object),
                    described(*object),
                    node.name
                )
            );
        }
        return property_of(*this, *object, node.name, offset);
    }
    const JsValue key = evaluate(*node.computed_key);
    if (object->is_nullish()) {
        throw_error(
            offset, "TypeError", fmt::format("Cannot read properties of {}", described(*object))
        );
    }
    return property_of(*this, *object, shown(key, offset), offset);
}

std::optional<JsValue> Evaluator::call(const CallNode& node, std::size_t offset) {
    const std::optional<JsValue> callee = link(*node.callee);
    if (!callee || (node.is_optional && callee->is_nullish())) {
        return std::nullopt;
    }
    if (!callee->is_callable()) {
        throw_error(
            offset, "TypeError", fmt::format("{} is not a function", callee_name(*node.callee))
        );
    }
    const JsArray arguments = elements(node.arguments);
    return call(*callee, arguments, offset);
}

}  // namespace cordon::expression
