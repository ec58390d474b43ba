#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/parser.hpp>
#include <cordon/config/expression/regex.hpp>

#include <algorithm>
#include <utility>

namespace cordon::expression {

NodePtr Parser::group() {
    const std::size_t offset = token_.offset;
    expect("(");
    NodePtr inner = expression();
    expect(")");
    const std::size_t depth = depth_of(inner);
    return node(offset, depth, GroupNode{std::move(inner)});
}

NodePtr Parser::array() {
    const std::size_t offset = token_.offset;
    expect("[");
    std::vector<Element> items = elements("]");
    const std::size_t depth = depth_of(items);
    return node(offset, depth, ArrayNode{std::move(items)});
}

std::vector<Element> Parser::elements(std::string_view close) {
    std::vector<Element> result;
    while (!accept(close)) {
        if (token_.is(",")) {
            refuse(
                token_.offset, "expected a value, found ','", "Write undefined for an empty place"
            );
        }
        const bool is_spread = accept("...");
        result.push_back(Element{expression(), is_spread});
        if (!token_.is(close)) {
            expect(",");
        }
    }
    return result;
}

NodePtr Parser::object() {
    const std::size_t offset = token_.offset;
    ObjectNode result;
    std::size_t depth = 0;
    expect("{");
    while (!accept("}")) {
        result.properties.push_back(property());
        const Property& added = result.properties.back();
        depth = std::max({depth, depth_of(added.computed_key), depth_of(added.value)});
        if (!token_.is("}")) {
            expect(",");
        }
    }
    return node(offset, depth, std::move(result));
}

Property Parser::property() {
    Property result;
    if (accept("...")) {
        result.is_spread = true;
        result.value = expression();
        return result;
    }
    if (accept("[")) {
        result.computed_key = expression();
        expect("]");
    } else if (token_.kind == TokenKind::text) {
        result.name = token_.text;
        advance();
    } else if (token_.kind == TokenKind::number) {
        result.name = to_text(JsValue{token_.number});
        advance();
    } else {
        const Token name = token_;
        result.name = expect_name().text;
        if (token_.is(",") || token_.is("}")) {
            result.value = node(name.offset, 0, NameNode{result.name});
            return result;
        }
    }
    if (token_.is("(")) {
        refuse(token_.offset, "a method in an object is not supported in expressions");
    }
    if (result.name == "__proto__") {
        refuse(token_.offset, "the key '__proto__' is not supported in expressions");
    }
    expect(":");
    result.value = expression();
    return result;
}

NodePtr Parser::template_text() {
    TemplateNode result;
    const std::size_t offset = token_.offset;
    std::size_t depth = 0;
    std::size_t at = token_.end;
    while (true) {
        Lexer::TemplateChunk chunk = lexer_.template_chunk(at);
        result.texts.push_back(std::move(chunk.text));
        advance_to(chunk.end);
        if (chunk.is_last) {
            return node(offset, depth, std::move(result));
        }
        result.values.push_back(expression());
        depth = std::max(depth, depth_of(result.values.back()));
        if (!token_.is("}")) {
            unexpected("'}'");
        }
        at = token_.end;
    }
}

NodePtr Parser::regex() {
    const std::size_t offset = token_.offset;
    const Lexer::RegexText text = lexer_.regex(offset);
    RegexPtr compiled = std::make_shared<const Regex>(text.pattern, text.flags, offset);
    advance_to(text.end);
    return node(offset, 0, Literal{JsValue{std::move(compiled)}});
}

NodePtr Parser::construction() {
    const std::size_t offset = token_.offset;
    advance();
    NewNode result;
    result.type = expect_name().text;
    if (accept("(")) {
        result.arguments = elements(")");
    }
    const std::size_t depth = depth_of(result.arguments);
    return node(offset, depth, std::move(result));
}

}  // namespace cordon::expression
