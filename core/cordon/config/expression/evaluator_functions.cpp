#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace cordon::expression {

JsValue Evaluator::evaluate(const FunctionNode& node, std::size_t /*offset*/) {
    return std::make_shared<const Closure>(Closure{&node, bindings_});
}

JsValue Evaluator::call(
    const JsValue& callee, std::span<const JsValue> arguments, std::size_t offset
) {
    const Depth depth{*this, offset};
    std::size_t weight = 0;
    for (const JsValue& argument : arguments) {
        weight += weight_of(argument);
    }
    // Methods look at all of their texts.
    spend((weight + weight_of(callee)) / 64, offset);
    if (const auto* bound = callee.get_if<BoundPtr>()) {
        return (*bound)->function->call(Invocation{*this, (*bound)->self, arguments, offset});
    }
    const auto* host = callee.get_if<const Namespace*>();
    if (host != nullptr && (*host)->call != nullptr) {
        return (*host)->call(Invocation{*this, JsValue{}, arguments, offset});
    }
    if (const auto* closure = callee.get_if<ClosurePtr>()) {
        return call_closure(**closure, arguments, offset);
    }
    throw_error(offset, "TypeError", fmt::format("{} is not a function", described(callee)));
}

JsValue Evaluator::call_closure(
    const Closure& closure, std::span<const JsValue> arguments, std::size_t offset
) {
    Bindings* const caller = bindings_;
    const auto restore = [&](Bindings*) {
        bindings_ = caller;
    };
    Bindings& bindings = enter(closure.bindings);
    const std::unique_ptr<Bindings, decltype(restore)> leave{&bindings, restore};
    spend(arguments.size(), offset);
    bind_parameters(bindings, *closure.node, arguments);
    if (closure.node->value) {
        return evaluate(*closure.node->value);
    }
    return run(closure.node->body).value_or(JsValue{});
}

Bindings& Evaluator::enter(const Bindings* parent) {
    Bindings& bindings = all_bindings_.emplace_back();
    bindings.parent = parent;
    bindings_ = &bindings;
    return bindings;
}

void Evaluator::bind_parameters(
    Bindings& bindings, const FunctionNode& function, std::span<const JsValue> arguments
) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const Pattern& pattern = *function.parameters[i];
        if (pattern.is_rest) {
            const auto rest = arguments.subspan(std::min(i, arguments.size()));
            bind(bindings, pattern, array(JsArray{rest.begin(), rest.end()}, pattern.offset));
        } else {
            bind(bindings, pattern, i < arguments.size() ? arguments[i] : JsValue{});
        }
    }
}

void Evaluator::bind(Bindings& bindings, const Pattern& pattern, JsValue value) {
    spend(1, pattern.offset);
    if (value.is_undefined() && pattern.default_value) {
        value = evaluate(*pattern.default_value);
    }
    switch (pattern.kind) {
        case Pattern::Kind::name:
            bindings.names.emplace_back(pattern.name, std::move(value));
            break;
        case Pattern::Kind::array:
            bind_array(bindings, pattern, value);
            break;
        case Pattern::Kind::object:
            bind_object(bindings, pattern, value);
            break;
    }
}

void Evaluator::bind_array(Bindings& bindings, const Pattern& pattern, const JsValue& value) {
    JsArray items;
    spread(items, value, pattern.offset);
    for (std::size_t i = 0; i < pattern.items.size(); ++i) {
        const std::unique_ptr<Pattern>& item = pattern.items[i];
        if (item && item->is_rest) {
            const auto start =
                items.begin() + static_cast<std::ptrdiff_t>(std::min(i, items.size()));
            bind(bindings, *item, array(JsArray{start, items.end()}, item->offset));
        } else if (item) {
            bind(bindings, *item, i < items.size() ? items[i] : JsValue{});
        }
    }
}

void Evaluator::bind_object(Bindings& bindings, const Pattern& pattern, const JsValue& value) {
    if (value.is_nullish()) {
        throw_error(
            pattern.offset, "TypeError", fmt::format("Cannot destructure {}", described(value))
        );
    }
    for (const Pattern::Field& field : pattern.fields) {
        if (field.pattern->is_rest) {
            refuse(
                field.pattern->offset, "'...' in an object pattern is not supported in expressions"
            );
        }
        bind(bindings, *field.pattern, property_of(*this, value, field.key, pattern.offset));
    }
}

std::optional<JsValue> Evaluator::run(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
        const Depth depth{*this, statement.offset};
        if (const auto* constant = std::get_if<ConstStatement>(&statement.data)) {
            bind(*bindings_, *constant->pattern, evaluate(*constant->value));
        } else if (const auto* plain = std::get_if<ExpressionStatement>(&statement.data)) {
            (void)evaluate(*plain->value);
        } else if (const auto* leave = std::get_if<ReturnStatement>(&statement.data)) {
            return leave->value ? evaluate(*leave->value) : JsValue{};
        } else if (const auto* raise = std::get_if<ThrowStatement>(&statement.data)) {
            run(*raise, statement.offset);
        } else if (auto returned = run(std::get<TryStatement>(statement.data))) {
            return returned;
        }
    }
    return std::nullopt;
}

std::optional<JsValue> Evaluator::run(const TryStatement& statement) {
    Bindings* const outer = bindings_;
    JsValue caught;
    try {
        (void)enter(outer);
        std::optional<JsValue> result = run(statement.body);
        bindings_ = outer;
        return result;
    } catch (const Thrown& thrown) {
        caught = thrown.value;
    }
    bindings_ = outer;
    Bindings& handler = enter(outer);
    if (statement.parameter) {
        bind(handler, *statement.parameter, std::move(caught));
    }
    std::optional<JsValue> result = run(statement.handler);
    bindings_ = outer;
    return result;
}

void Evaluator::run(const ThrowStatement& statement, std::size_t offset) {
    JsValue value = evaluate(*statement.value);
    throw Thrown{offset, std::move(value), {}, /*is_public=*/!has_read_private_};
}

}  // namespace cordon::expression
