#pragma once

#include <cordon/config/expression/js_value.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cordon::expression {

struct Node;
using NodePtr = std::unique_ptr<const Node>;

/// An item of an array literal or of arguments: `value` or `...value`.
struct Element {
    NodePtr value;
    bool is_spread = false;
};

struct Literal {
    JsValue value;
};

struct NameNode {
    std::string name;
};

struct TemplateNode {
    /// One more than values.
    std::vector<std::string> texts;
    std::vector<NodePtr> values;
};

struct ArrayNode {
    std::vector<Element> items;
};

struct Property {
    /// Null where `name` is the key.
    NodePtr computed_key;
    std::string name;
    NodePtr value;
    bool is_spread = false;
};

struct ObjectNode {
    std::vector<Property> properties;
};

/// In parentheses, which end a chain of `?.`.
struct GroupNode {
    NodePtr inner;
};

struct MemberNode {
    NodePtr object;
    /// Null where `name` is the key.
    NodePtr computed_key;
    std::string name;
    bool is_optional = false;
};

struct CallNode {
    NodePtr callee;
    std::vector<Element> arguments;
    bool is_optional = false;
};

struct NewNode {
    std::string type;
    std::vector<Element> arguments;
};

enum class Operator {
    add,
    subtract,
    multiply,
    divide,
    remainder,
    strictly_equal,
    strictly_unequal,
    equal,
    unequal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    logical_and,
    logical_or,
    coalesce,
    logical_not,
    negate,
    to_number,
    type_of,
    discard,
};

struct UnaryNode {
    Operator operation;
    NodePtr operand;
};

struct BinaryNode {
    Operator operation;
    NodePtr left;
    NodePtr right;
};

struct ConditionalNode {
    NodePtr condition;
    NodePtr if_true;
    NodePtr if_false;
};

/// What a parameter or a constant binds: a name, `[a, , b]` or `{a, b: c}`, each with a default.
struct Pattern {
    struct Field {
        std::string key;
        std::unique_ptr<Pattern> pattern;
    };

    enum class Kind { name, array, object };

    Kind kind = Kind::name;
    std::size_t offset = 0;
    std::string name;
    /// Of an array; null for a hole.
    std::vector<std::unique_ptr<Pattern>> items;
    std::vector<Field> fields;
    /// Binds all that is left; only as the last parameter or the last of an array.
    bool is_rest = false;
    NodePtr default_value;
};

struct Statement;

struct FunctionNode {
    std::vector<std::unique_ptr<Pattern>> parameters;
    /// `x => value`; null where there is a body.
    NodePtr value;
    std::vector<Statement> body;
};

struct Node {
    std::size_t offset = 0;
    /// Levels of nodes below this one, bounded by the parser.
    std::size_t depth = 0;
    std::variant<
        Literal,
        NameNode,
        TemplateNode,
        ArrayNode,
        ObjectNode,
        GroupNode,
        MemberNode,
        CallNode,
        NewNode,
        UnaryNode,
        BinaryNode,
        ConditionalNode,
        FunctionNode>
        data;
};

struct ExpressionStatement {
    NodePtr value;
};

struct ConstStatement {
    std::unique_ptr<Pattern> pattern;
    NodePtr value;
};

struct ReturnStatement {
    /// May be null.
    NodePtr value;
};

struct ThrowStatement {
    NodePtr value;
};

struct TryStatement {
    std::vector<Statement> body;
    /// Null for `catch { }`.
    std::unique_ptr<Pattern> parameter;
    std::vector<Statement> handler;
};

struct Statement {
    std::size_t offset = 0;
    /// Levels of nodes below it.
    std::size_t depth = 0;
    std::variant<ExpressionStatement, ConstStatement, ReturnStatement, ThrowStatement, TryStatement>
        data;
};

}  // namespace cordon::expression
