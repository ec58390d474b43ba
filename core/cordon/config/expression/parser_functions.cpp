#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/parser.hpp>

#include <algorithm>
#include <utility>

namespace cordon::expression {
namespace {

std::size_t depth_of(const std::vector<Statement>& statements) {
    std::size_t depth = 0;
    for (const Statement& statement : statements) {
        depth = std::max(depth, statement.depth);
    }
    return depth;
}

std::size_t depth_of(const FunctionNode& function) {
    return std::max(expression::depth_of(function.value), depth_of(function.body));
}

}  // namespace

NodePtr Parser::arrow_or_null() {
    const Token start = token_;
    FunctionNode function;
    if (token_.kind == TokenKind::name) {
        const Token next = lexer_.token(token_.end);
        if (!next.is("=>")) {
            return nullptr;
        }
        function.parameters.push_back(pattern());
        return arrow(start.offset, std::move(function));
    }
    if (!token_.is("(")) {
        return nullptr;
    }
    // Only the arrow behind it tells parameters from an expression in parentheses.
    const std::size_t nesting = nesting_;
    bool is_arrow = false;
    try {
        advance();
        function.parameters = parameters();
        is_arrow = token_.is("=>");
    } catch (const Refusal&) {
        function.parameters.clear();
    }
    if (!is_arrow) {
        nesting_ = nesting;
        token_ = start;
        return nullptr;
    }
    return arrow(start.offset, std::move(function));
}

NodePtr Parser::arrow(std::size_t offset, FunctionNode function) {
    expect("=>");
    if (token_.is("{")) {
        function.body = block();
    } else {
        function.value = expression();
    }
    const std::size_t depth = depth_of(function);
    return node(offset, depth, std::move(function));
}

NodePtr Parser::function() {
    const std::size_t offset = token_.offset;
    advance();
    if (token_.is("*")) {
        refuse(token_.offset, "a generator is not supported in expressions");
    }
    if (token_.kind == TokenKind::name) {
        advance();
    }
    expect("(");
    FunctionNode result;
    result.parameters = parameters();
    result.body = block();
    const std::size_t depth = depth_of(result);
    return node(offset, depth, std::move(result));
}

std::vector<std::unique_ptr<Pattern>> Parser::parameters() {
    std::vector<std::unique_ptr<Pattern>> result;
    while (!accept(")")) {
        result.push_back(parameter(")"));
        if (!token_.is(")")) {
            expect(",");
        }
    }
    return result;
}

std::unique_ptr<Pattern> Parser::parameter(std::string_view close) {
    const bool is_rest = accept("...");
    std::unique_ptr<Pattern> result = pattern();
    result->is_rest = is_rest;
    if (is_rest && !token_.is(close)) {
        unexpected(std::string{"'"} + std::string{close} + "'");
    }
    if (!is_rest && accept("=")) {
        result->default_value = expression();
    }
    return result;
}

std::unique_ptr<Pattern> Parser::pattern() {
    const Nesting nesting{*this};
    auto result = std::make_unique<Pattern>();
    result->offset = token_.offset;
    if (accept("[")) {
        array_pattern(*result);
    } else if (accept("{")) {
        object_pattern(*result);
    } else {
        refuse_keyword();
        result->name = expect_name().text;
    }
    return result;
}

void Parser::array_pattern(Pattern& pattern) {
    pattern.kind = Pattern::Kind::array;
    while (!accept("]")) {
        if (accept(",")) {
            pattern.items.push_back(nullptr);
            continue;
        }
        pattern.items.push_back(parameter("]"));
        if (!token_.is("]")) {
            expect(",");
        }
    }
}

void Parser::object_pattern(Pattern& pattern) {
    pattern.kind = Pattern::Kind::object;
    while (!accept("}")) {
        const Token key = token_;
        Pattern::Field field;
        if (token_.kind == TokenKind::text) {
            field.key = token_.text;
            advance();
            expect(":");
            field.pattern = parameter("}");
        } else {
            field.key = expect_name().text;
            if (accept(":")) {
                field.pattern = parameter("}");
            } else {
                field.pattern = std::make_unique<Pattern>();
                field.pattern->offset = key.offset;
                field.pattern->name = field.key;
                field.pattern->default_value = accept("=") ? expression() : nullptr;
            }
        }
        pattern.fields.push_back(std::move(field));
        if (!token_.is("}")) {
            expect(",");
        }
    }
}

std::vector<Statement> Parser::block() {
    const Nesting nesting{*this};
    std::vector<Statement> result;
    expect("{");
    while (!accept("}")) {
        statement(result);
    }
    return result;
}

void Parser::statement(std::vector<Statement>& out) {
    const std::size_t offset = token_.offset;
    if (accept(";")) {
        return;
    }
    if (token_.is_name("const")) {
        constants(out);
        return;
    }
    if (token_.is_name("try")) {
        TryStatement attempt = try_statement();
        const std::size_t depth = std::max(depth_of(attempt.body), depth_of(attempt.handler));
        out.push_back(Statement{offset, depth + 1, std::move(attempt)});
        return;
    }
    if (token_.is_name("return")) {
        advance();
        const bool is_empty = token_.is(";") || token_.is("}") || token_.starts_line;
        NodePtr value = is_empty ? nullptr : expression();
        const std::size_t depth = expression::depth_of(value);
        out.push_back(Statement{offset, depth, ReturnStatement{std::move(value)}});
    } else if (token_.is_name("throw")) {
        advance();
        NodePtr value = expression();
        const std::size_t depth = expression::depth_of(value);
        out.push_back(Statement{offset, depth, ThrowStatement{std::move(value)}});
    } else if (token_.is("{")) {
        refuse(offset, "a block of its own is not supported in expressions");
    } else {
        NodePtr value = expression();
        const std::size_t depth = expression::depth_of(value);
        out.push_back(Statement{offset, depth, ExpressionStatement{std::move(value)}});
    }
    end_statement();
}

void Parser::constants(std::vector<Statement>& out) {
    advance();
    do {
        const std::size_t offset = token_.offset;
        std::unique_ptr<Pattern> names = pattern();
        expect("=");
        NodePtr value = expression();
        const std::size_t depth = expression::depth_of(value);
        out.push_back(Statement{offset, depth, ConstStatement{std::move(names), std::move(value)}});
    } while (accept(","));
    end_statement();
}

TryStatement Parser::try_statement() {
    advance();
    TryStatement result;
    result.body = block();
    if (!token_.is_name("catch")) {
        unexpected("'catch'");
    }
    advance();
    if (accept("(")) {
        result.parameter = pattern();
        expect(")");
    }
    result.handler = block();
    if (token_.is_name("finally")) {
        unexpected("the next statement");
    }
    return result;
}

void Parser::end_statement() {
    if (!accept(";") && !token_.is("}") && !token_.starts_line) {
        unexpected("';'");
    }
}

}  // namespace cordon::expression
