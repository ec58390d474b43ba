#pragma once

#include <cordon/config/expression.hpp>
#include <cordon/config/expression/js_value.hpp>
#include <cordon/config/expression/syntax_tree.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::expression {

/// The names that one call of a function binds. They belong to the evaluator, so that a function
/// which is bound to its own name is no cycle of owners.
struct Bindings {
    const Bindings* parent = nullptr;
    std::vector<std::pair<std::string, JsValue>> names;
};

/// Evaluates one tree. Steps, depth and memory are bounded, and nothing outside the scope is read,
/// so every evaluation ends and gives the same result again.
///
/// Errors: `Thrown` for exceptions of JavaScript, `Refusal` for the rest.
class Evaluator {
public:
    explicit Evaluator(const ExpressionScope& scope) : scope_(scope) {}

    [[nodiscard]] JsValue evaluate(const Node& node);

    [[nodiscard]] const ExpressionScope& scope() const { return scope_; }

    /// Calls a function, or throws a TypeError.
    [[nodiscard]] JsValue call(
        const JsValue& callee, std::span<const JsValue> arguments, std::size_t offset
    );

    /// New values, counted. `offset` is where they are made.
    [[nodiscard]] JsValue text(std::string content, std::size_t offset);
    [[nodiscard]] JsValue array(JsArray items, std::size_t offset);
    [[nodiscard]] JsValue object(JsObject members, std::size_t offset);

    /// A value of the host. Texts of expressions in it become undefined.
    [[nodiscard]] JsValue from_host(const Value& value, std::size_t offset);

    /// Counts work in the order of `steps` and fails where there was too much.
    void spend(std::size_t steps, std::size_t offset);

    /// What is left, for a loop that counts by itself.
    [[nodiscard]] std::size_t& steps() { return steps_; }

    /// From now on texts made by the expression may hold a secret and are not shown in errors.
    void read_private() { has_read_private_ = true; }

private:
    /// Counts a step and a level while it lives.
    class Depth {
    public:
        Depth(Evaluator& evaluator, std::size_t offset);

        ~Depth() { --evaluator_.depth_; }

        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

    private:
        Evaluator& evaluator_;
    };

    template <typename Content>
    [[nodiscard]] JsValue nested(
        Content content, std::size_t depth, std::size_t weight, std::size_t offset
    );

    [[nodiscard]] JsValue evaluate(const NameNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const TemplateNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const ArrayNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const ObjectNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const NewNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const UnaryNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const BinaryNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const ConditionalNode& node, std::size_t offset);
    [[nodiscard]] JsValue evaluate(const FunctionNode& node, std::size_t offset);

    [[nodiscard]] JsValue evaluate(const Literal& node, std::size_t /*offset*/) {
        return node.value;
    }

    [[nodiscard]] JsValue evaluate(const GroupNode& node, std::size_t /*offset*/) {
        return evaluate(*node.inner);
    }

    [[nodiscard]] JsValue evaluate(const MemberNode& node, std::size_t offset) {
        return member(node, offset).value_or(JsValue{});
    }

    [[nodiscard]] JsValue evaluate(const CallNode& node, std::size_t offset) {
        return call(node, offset).value_or(JsValue{});
    }

    /// Links of a chain: nothing where a `?.` before them ended it.
    [[nodiscard]] std::optional<JsValue> link(const Node& node);
    [[nodiscard]] std::optional<JsValue> member(const MemberNode& node, std::size_t offset);
    [[nodiscard]] std::optional<JsValue> call(const CallNode& node, std::size_t offset);

    [[nodiscard]] std::optional<JsValue> find_name(const std::string& name, std::size_t offset);
    [[nodiscard]] JsValue call_closure(
        const Closure& closure, std::span<const JsValue> arguments, std::size_t offset
    );
    [[nodiscard]] JsArray elements(const std::vector<Element>& elements);
    void spread(JsArray& out, const JsValue& value, std::size_t offset);
    void spread(JsObject& out, const JsValue& value, std::size_t offset);
    [[nodiscard]] JsValue arithmetic(
        Operator operation, const JsValue& left, const JsValue& right, std::size_t offset
    );

    // evaluator_functions.cpp
    void bind_parameters(
        Bindings& bindings, const FunctionNode& function, std::span<const JsValue> arguments
    );
    void bind(Bindings& bindings, const Pattern& pattern, JsValue value);
    void bind_array(Bindings& bindings, const Pattern& pattern, const JsValue& value);
    void bind_object(Bindings& bindings, const Pattern& pattern, const JsValue& value);
    /// The value of `return`; nothing where the end was reached.
    [[nodiscard]] std::optional<JsValue> run(const std::vector<Statement>& statements);
    [[nodiscard]] std::optional<JsValue> run(const TryStatement& statement);
    [[noreturn]] void run(const ThrowStatement& statement, std::size_t offset);
    [[nodiscard]] Bindings& enter(const Bindings* parent);

    const ExpressionScope& scope_;
    std::deque<Bindings> all_bindings_;
    Bindings* bindings_ = nullptr;
    std::size_t steps_ = 100'000;
    std::size_t bytes_ = 0;
    std::size_t depth_ = 0;
    bool has_read_private_ = false;
};

/// Sets or replaces a member, as an object literal does.
void set_member(JsObject& members, std::string key, JsValue value);

[[nodiscard]] const JsValue* find_member(const JsObject& members, std::string_view key);

}  // namespace cordon::expression
