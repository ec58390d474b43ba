#pragma once

#include <cordon/config/expression/lexer.hpp>
#include <cordon/config/expression/syntax_tree.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace cordon::expression {

/// Makes the tree of one expression. What JavaScript has and this dialect has not is refused by its
/// name (spec composition.md 3).
///
/// Errors: `Refusal`, with the offset in the text.
class Parser {
public:
    explicit Parser(std::string_view source) : lexer_(source) {}

    /// Null for a text without any token, which stands for `undefined`.
    [[nodiscard]] NodePtr parse();

private:
    // parser.cpp: expressions, in the order of precedence
    [[nodiscard]] NodePtr expression();
    [[nodiscard]] NodePtr conditional();
    [[nodiscard]] NodePtr binary(int precedence);
    [[nodiscard]] NodePtr unary();
    [[nodiscard]] NodePtr chain();
    [[nodiscard]] NodePtr chain_link(NodePtr object);
    [[nodiscard]] bool is_chain_link() const;
    [[nodiscard]] NodePtr member(NodePtr object, bool is_optional);
    [[nodiscard]] NodePtr computed_member(NodePtr object, bool is_optional);
    [[nodiscard]] NodePtr primary();
    [[nodiscard]] NodePtr primary_name();
    [[nodiscard]] NodePtr primary_punctuator();

    // parser_literals.cpp
    [[nodiscard]] NodePtr group();
    [[nodiscard]] NodePtr array();
    [[nodiscard]] NodePtr object();
    [[nodiscard]] Property property();
    [[nodiscard]] NodePtr template_text();
    [[nodiscard]] NodePtr regex();
    [[nodiscard]] NodePtr construction();
    [[nodiscard]] std::vector<Element> elements(std::string_view close);

    // parser_functions.cpp
    [[nodiscard]] NodePtr arrow_or_null();
    [[nodiscard]] NodePtr arrow(std::size_t offset, FunctionNode function);
    [[nodiscard]] NodePtr function();
    [[nodiscard]] std::vector<std::unique_ptr<Pattern>> parameters();
    [[nodiscard]] std::unique_ptr<Pattern> parameter(std::string_view close);
    [[nodiscard]] std::unique_ptr<Pattern> pattern();
    void array_pattern(Pattern& pattern);
    void object_pattern(Pattern& pattern);
    [[nodiscard]] std::vector<Statement> block();
    void statement(std::vector<Statement>& out);
    void constants(std::vector<Statement>& out);
    [[nodiscard]] TryStatement try_statement();
    void end_statement();

    void advance() { advance_to(token_.end); }

    void advance_to(std::size_t offset);
    bool accept(std::string_view punctuator);
    void expect(std::string_view punctuator);
    [[nodiscard]] Token expect_name();
    [[noreturn]] void unexpected(std::string_view expected) const;
    void refuse_keyword() const;

    /// Makes a node; `depth` is that of its deepest child.
    template <typename Data>
    [[nodiscard]] NodePtr node(std::size_t offset, std::size_t depth, Data data) {
        return checked(Node{offset, depth + 1, std::move(data)});
    }

    [[nodiscard]] static NodePtr checked(Node node);

    struct Nesting;

    Lexer lexer_;
    Token token_;
    std::size_t nesting_ = 0;
    std::size_t tokens_ = 0;
};

[[nodiscard]] std::size_t depth_of(const NodePtr& node);
[[nodiscard]] std::size_t depth_of(const std::vector<Element>& elements);

/// Counts the levels of nesting while it lives, so that no text exhausts the stack.
struct Parser::Nesting {
    explicit Nesting(Parser& owner);

    ~Nesting() { --parser.nesting_; }

    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

    Parser& parser;
};

}  // namespace cordon::expression
