#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/parser.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cordon::expression {
namespace {

constexpr std::size_t kMaxNesting = 100;
constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kMaxTokens = 200'000;

struct BinaryOperator {
    std::string_view text;
    int precedence;
    Operator operation;
};

constexpr std::array kBinaryOperators{
    BinaryOperator{"??", 1, Operator::coalesce},
    BinaryOperator{"||", 2, Operator::logical_or},
    BinaryOperator{"&&", 3, Operator::logical_and},
    BinaryOperator{"===", 4, Operator::strictly_equal},
    BinaryOperator{"!==", 4, Operator::strictly_unequal},
    BinaryOperator{"==", 4, Operator::equal},
    BinaryOperator{"!=", 4, Operator::unequal},
    BinaryOperator{"<", 5, Operator::less},
    BinaryOperator{"<=", 5, Operator::less_or_equal},
    BinaryOperator{">", 5, Operator::greater},
    BinaryOperator{">=", 5, Operator::greater_or_equal},
    BinaryOperator{"+", 6, Operator::add},
    BinaryOperator{"-", 6, Operator::subtract},
    BinaryOperator{"*", 7, Operator::multiply},
    BinaryOperator{"/", 7, Operator::divide},
    BinaryOperator{"%", 7, Operator::remainder},
};

struct Construct {
    std::string_view text;
    std::string_view name;
};

/// What JavaScript has and expressions have not, by the token that shows it.
constexpr std::array kUnsupported{
    Construct{"=", "assignment"},
    Construct{"+=", "assignment"},
    Construct{"-=", "assignment"},
    Construct{"*=", "assignment"},
    Construct{"/=", "assignment"},
    Construct{"%=", "assignment"},
    Construct{"&&=", "assignment"},
    Construct{"||=", "assignment"},
    Construct{"?\?=", "assignment"},
    Construct{"++", "the operator '++'"},
    Construct{"--", "the operator '--'"},
    Construct{"**", "the operator '**'"},
    Construct{"&", "the operator '&'"},
    Construct{"|", "the operator '|'"},
    Construct{"^", "the operator '^'"},
    Construct{"~", "the operator '~'"},
    Construct{"<<", "the operator '<<'"},
    Construct{">>", "the operator '>>'"},
    Construct{">>>", "the operator '>>>'"},
    Construct{",", "the comma operator"},
    Construct{"`", "a tagged template"},
    Construct{"in", "the operator 'in'"},
    Construct{"instanceof", "the operator 'instanceof'"},
    Construct{"async", "'async'"},
    Construct{"await", "'await'"},
    Construct{"break", "'break'"},
    Construct{"case", "'case'"},
    Construct{"class", "'class'"},
    Construct{"continue", "'continue'"},
    Construct{"debugger", "'debugger'"},
    Construct{"delete", "'delete'"},
    Construct{"do", "a loop"},
    Construct{"else", "'else'"},
    Construct{"export", "'export'"},
    Construct{"finally", "'finally'"},
    Construct{"for", "a loop"},
    Construct{"if", "'if'"},
    Construct{"import", "'import'"},
    Construct{"let", "'let'"},
    Construct{"super", "'super'"},
    Construct{"switch", "'switch'"},
    Construct{"this", "'this'"},
    Construct{"var", "'var'"},
    Construct{"while", "a loop"},
    Construct{"with", "'with'"},
    Construct{"yield", "'yield'"},
};

std::string_view unsupported_name(const Token& token) {
    if (token.kind != TokenKind::name && token.kind != TokenKind::punctuator) {
        return {};
    }
    const auto found =
        std::find_if(kUnsupported.begin(), kUnsupported.end(), [&](const auto& known) {
            return known.text == token.text;
        });
    return found == kUnsupported.end() ? std::string_view{} : found->name;
}

const BinaryOperator* binary_operator(const Token& token) {
    const auto found =
        std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(), [&](const auto& known) {
            return token.is(known.text);
        });
    return found == kBinaryOperators.end() ? nullptr : found;
}

/// `??` beside `&&` or `||` needs parentheses in JavaScript.
bool is_mixed(Operator operation, const NodePtr& operand) {
    const auto* inner = std::get_if<BinaryNode>(&operand->data);
    if (inner == nullptr) {
        return false;
    }
    const auto is_coalesce = [](Operator other) {
        return other == Operator::coalesce;
    };
    const auto is_logical = [](Operator other) {
        return other == Operator::logical_and || other == Operator::logical_or;
    };
    return (is_coalesce(operation) && is_logical(inner->operation)) ||
           (is_logical(operation) && is_coalesce(inner->operation));
}

JsValue literal_text(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

std::size_t depth_of(const NodePtr& node) {
    return node ? node->depth : 0;
}

std::size_t depth_of(const std::vector<Element>& elements) {
    std::size_t depth = 0;
    for (const Element& element : elements) {
        depth = std::max(depth, depth_of(element.value));
    }
    return depth;
}

Parser::Nesting::Nesting(Parser& owner) : parser(owner) {
    if (++parser.nesting_ > kMaxNesting) {
        --parser.nesting_;
        refuse(
            parser.token_.offset,
            fmt::format("expected at most {} levels of nesting, found more", kMaxNesting),
            "Simplify the expression"
        );
    }
}

NodePtr Parser::parse() {
    advance_to(0);
    if (token_.kind == TokenKind::end) {
        return nullptr;
    }
    if (token_.is("{")) {
        refuse(
            token_.offset,
            "expected an expression, found '{', which starts a block here",
            "Put an object literal into parentheses: ({ … })"
        );
    }
    if (token_.is_name("const") || token_.is_name("return") || token_.is_name("throw") ||
        token_.is_name("try")) {
        refuse(
            token_.offset,
            fmt::format("expected an expression, found the statement '{}'", token_.text),
            "Put statements into a function that is called at once: (() => { … })()"
        );
    }
    NodePtr result = expression();
    while (accept(";")) {}
    if (token_.kind != TokenKind::end) {
        unexpected("the end of the expression");
    }
    return result;
}

NodePtr Parser::expression() {
    const Nesting nesting{*this};
    if (NodePtr function = arrow_or_null()) {
        return function;
    }
    return conditional();
}

NodePtr Parser::conditional() {
    const std::size_t offset = token_.offset;
    NodePtr condition = binary(1);
    if (!accept("?")) {
        return condition;
    }
    NodePtr if_true = expression();
    expect(":");
    NodePtr if_false = expression();
    const std::size_t depth =
        std::max({depth_of(condition), depth_of(if_true), depth_of(if_false)});
    return node(
        offset,
        depth,
        ConditionalNode{std::move(condition), std::move(if_true), std::move(if_false)}
    );
}

NodePtr Parser::binary(int precedence) {
    NodePtr left = unary();
    while (const BinaryOperator* found = binary_operator(token_)) {
        if (found->precedence < precedence) {
            break;
        }
        const std::size_t offset = token_.offset;
        advance();
        NodePtr right = binary(found->precedence + 1);
        if (is_mixed(found->operation, left) || is_mixed(found->operation, right)) {
            refuse(
                offset,
                fmt::format(
                    "expected parentheses where '{}' meets '?\?', '&&' or '||'", found->text
                ),
                "Say with parentheses which comes first"
            );
        }
        const std::size_t depth = std::max(depth_of(left), depth_of(right));
        left = node(offset, depth, BinaryNode{found->operation, std::move(left), std::move(right)});
    }
    return left;
}

NodePtr Parser::unary() {
    const Nesting nesting{*this};
    const std::size_t offset = token_.offset;
    std::optional<Operator> operation;
    if (token_.is("!")) {
        operation = Operator::logical_not;
    } else if (token_.is("-")) {
        operation = Operator::negate;
    } else if (token_.is("+")) {
        operation = Operator::to_number;
    } else if (token_.is_name("typeof")) {
        operation = Operator::type_of;
    } else if (token_.is_name("void")) {
        operation = Operator::discard;
    }
    if (!operation) {
        return chain();
    }
    advance();
    NodePtr operand = unary();
    const std::size_t depth = depth_of(operand);
    return node(offset, depth, UnaryNode{*operation, std::move(operand)});
}

NodePtr Parser::chain() {
    NodePtr result = primary();
    while (is_chain_link()) {
        result = chain_link(std::move(result));
    }
    return result;
}

bool Parser::is_chain_link() const {
    return token_.is(".") || token_.is("?.") || token_.is("[") || token_.is("(");
}

NodePtr Parser::chain_link(NodePtr object) {
    const std::size_t offset = token_.offset;
    const bool is_optional = token_.is("?.");
    if (token_.is(".") || is_optional) {
        advance();
    }
    if (token_.is("[")) {
        return computed_member(std::move(object), is_optional);
    }
    if (!token_.is("(")) {
        return member(std::move(object), is_optional);
    }
    advance();
    std::vector<Element> arguments = elements(")");
    const std::size_t depth = std::max(depth_of(object), depth_of(arguments));
    return node(offset, depth, CallNode{std::move(object), std::move(arguments), is_optional});
}

NodePtr Parser::member(NodePtr object, bool is_optional) {
    const Token name = expect_name();
    const std::size_t depth = depth_of(object);
    return node(name.offset, depth, MemberNode{std::move(object), nullptr, name.text, is_optional});
}

NodePtr Parser::computed_member(NodePtr object, bool is_optional) {
    const std::size_t offset = token_.offset;
    expect("[");
    NodePtr key = expression();
    expect("]");
    const std::size_t depth = std::max(depth_of(object), depth_of(key));
    return node(offset, depth, MemberNode{std::move(object), std::move(key), {}, is_optional});
}

NodePtr Parser::primary() {
    const std::size_t offset = token_.offset;
    switch (token_.kind) {
        case TokenKind::end:
            unexpected("an expression");
        case TokenKind::number: {
            const double number = token_.number;
            advance();
            return node(offset, 0, Literal{number});
        }
        case TokenKind::text: {
            JsValue text = literal_text(std::move(token_.text));
            advance();
            return node(offset, 0, Literal{std::move(text)});
        }
        case TokenKind::name:
            return primary_name();
        case TokenKind::punctuator:
            break;
    }
    return primary_punctuator();
}

NodePtr Parser::primary_name() {
    const std::size_t offset = token_.offset;
    if (token_.text == "function") {
        return function();
    }
    if (token_.text == "new") {
        return construction();
    }
    refuse_keyword();
    const Token name = std::exchange(token_, Token{});
    advance_to(name.end);
    if (name.text == "true" || name.text == "false") {
        return node(offset, 0, Literal{name.text == "true"});
    }
    if (name.text == "null") {
        return node(offset, 0, Literal{Null{}});
    }
    if (name.text == "undefined") {
        return node(offset, 0, Literal{Undefined{}});
    }
    return node(offset, 0, NameNode{name.text});
}

NodePtr Parser::primary_punctuator() {
    if (token_.is("(")) {
        return group();
    }
    if (token_.is("[")) {
        return array();
    }
    if (token_.is("{")) {
        return object();
    }
    if (token_.is("`")) {
        return template_text();
    }
    if (token_.is("/") || token_.is("/=")) {
        return regex();
    }
    unexpected("an expression");
}

void Parser::advance_to(std::size_t offset) {
    if (++tokens_ > kMaxTokens) {
        refuse(token_.offset, "expected a shorter expression", "Simplify the expression");
    }
    token_ = lexer_.token(offset);
}

bool Parser::accept(std::string_view punctuator) {
    if (!token_.is(punctuator)) {
        return false;
    }
    advance();
    return true;
}

void Parser::expect(std::string_view punctuator) {
    if (!accept(punctuator)) {
        unexpected(fmt::format("'{}'", punctuator));
    }
}

Token Parser::expect_name() {
    if (token_.kind != TokenKind::name) {
        unexpected("a name");
    }
    Token name = std::exchange(token_, Token{});
    advance_to(name.end);
    return name;
}

void Parser::unexpected(std::string_view expected) const {
    const std::string_view construct = unsupported_name(token_);
    if (!construct.empty()) {
        refuse(
            token_.offset,
            fmt::format("{} is not supported in expressions", construct),
            "Write one value that is computed without side effects"
        );
    }
    const std::string_view found =
        lexer_.source().substr(token_.offset, token_.end - token_.offset);
    refuse(
        token_.offset,
        found.empty() ? fmt::format("expected {}, found the end of the expression", expected)
                      : fmt::format("expected {}, found '{}'", expected, found)
    );
}

void Parser::refuse_keyword() const {
    if (token_.kind == TokenKind::name && !unsupported_name(token_).empty()) {
        unexpected("an expression");
    }
}

NodePtr Parser::checked(Node node) {
    if (node.depth > kMaxDepth) {
        refuse(
            node.offset,
            fmt::format("expected at most {} parts in a row, found more", kMaxDepth),
            "Simplify the expression"
        );
    }
    return std::make_unique<const Node>(std::move(node));
}

}  // namespace cordon::expression
