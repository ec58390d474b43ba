#include <cordon/config/yaml.hpp>
#include <cordon/config/yaml/builder.hpp>
#include <cordon/config/yaml/scalar.hpp>
#include <cordon/config/yaml/syntax.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon::yaml {
namespace {

constexpr std::size_t kMaxProblems = 20;
constexpr std::string_view kExpressionKey = "__jsExpr";

std::size_t offset_of(const YAML::Mark& mark) {
    return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos);
}

bool is_untagged(const std::string& tag) {
    return tag.empty() || tag == "?" || tag == "!";
}

}  // namespace

std::optional<std::size_t> Builder::open_bracket() const {
    for (auto frame = open_.rbegin(); frame != open_.rend(); ++frame) {
        const std::size_t content = source_.content(frame->offset);
        const char c = content < source_.text().size() ? source_.text()[content] : '\0';
        if (frame->is_flow && (c == '[' || c == '{')) {
            return content;
        }
    }
    return std::nullopt;
}

void Builder::OnDocumentStart(const YAML::Mark& mark) {
    if (root_) {
        throw DiagnosticError{second_document(source_, offset_of(mark))};
    }
}

void Builder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (!open_.empty() && open_.back().is_mapping && open_.back().key) {
        check_colon(open_.back());
    }
    complete(Node{Value{}, offset_of(mark), anchor});
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    const std::size_t offset = offset_of(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
        throw DiagnosticError{problem_at(
            source_,
            offset,
            "expected an alias of a finished value, found one inside the value it names",
            "Write the value out instead of referring to itself"
        )};
    }
    Node copy = found->second;
    copy.offset = offset;
    copy.anchor = 0;
    spend(copy.nodes, copy.bytes, offset);
    complete(std::move(copy));
}

void Builder::OnScalar(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& text
) {
    const std::size_t offset = offset_of(mark);
    spend(1, 0, offset);
    check_quote(offset);
    Node node{scalar_value(offset, tag, repaired(text)), offset, anchor, 1, text.size()};
    complete(std::move(node));
}

void Builder::OnSequenceStart(
    const YAML::Mark& mark,
    const std::string& tag,
    YAML::anchor_t anchor,
    YAML::EmitterStyle::value style
) {
    const std::size_t offset = offset_of(mark);
    check_collection_tag(offset, tag, /*is_mapping=*/false);
    open(/*is_mapping=*/false, offset, anchor, style);
}

void Builder::OnSequenceEnd() {
    close();
}

void Builder::OnMapStart(
    const YAML::Mark& mark,
    const std::string& tag,
    YAML::anchor_t anchor,
    YAML::EmitterStyle::value style
) {
    const std::size_t offset = offset_of(mark);
    check_collection_tag(offset, tag, /*is_mapping=*/true);
    open(/*is_mapping=*/true, offset, anchor, style);
}

void Builder::OnMapEnd() {
    close();
}

void Builder::open(
    bool is_mapping, std::size_t offset, YAML::anchor_t anchor, YAML::EmitterStyle::value style
) {
    spend(1, 0, offset);
    if (open_.size() == kMaxYamlDepth) {
        throw DiagnosticError{problem_at(
            source_,
            offset,
            fmt::format("expected at most {} levels of nesting, found more", kMaxYamlDepth),
            "Flatten the structure"
        )};
    }
    Frame& frame = open_.emplace_back();
    frame.is_mapping = is_mapping;
    frame.is_flow = style == YAML::EmitterStyle::Flow;
    frame.offset = offset;
    frame.anchor = anchor;
}

void Builder::close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    Value value = frame.is_mapping ? mapping_value(frame) : Value{std::move(frame.items)};
    complete(Node{std::move(value), frame.offset, frame.anchor, frame.nodes, frame.bytes});
}

void Builder::complete(Node node) {
    last_offset_ = node.offset;
    const std::size_t line = source_.line_start(node.offset);
    if (source_.is_indented_by_tab(node.offset) && std::exchange(tab_line_, line) != line) {
        report(node.offset, "expected spaces as indentation, found a tab", kTabHint);
    }
    if (node.value.mark().line == 0) {
        node.value.set_mark(source_.mark(node.offset));
    }
    if (node.anchor != 0) {
        spend(node.nodes, node.bytes, node.offset);
        anchors_.insert_or_assign(node.anchor, node);
    }
    if (open_.empty()) {
        root_ = std::move(node.value);
        return;
    }
    Frame& parent = open_.back();
    parent.nodes += node.nodes;
    parent.bytes += node.bytes;
    if (!parent.is_mapping) {
        parent.items.push_back(std::move(node.value));
    } else if (!parent.key) {
        add_key(parent, node);
    } else {
        add_member(parent, std::move(node));
    }
}

void Builder::add_key(Frame& mapping, const Node& node) {
    const Value::Kind kind = node.value.kind();
    mapping.key_offset = node.offset;
    mapping.key = std::string{};
    if (kind == Value::Kind::expression) {
        report_problem(unquoted_expression(source_, node.offset));
        return;
    }
    if (kind == Value::Kind::array || kind == Value::Kind::object) {
        report(
            node.offset,
            fmt::format("expected a text as key, found a {}", kind_name(kind)),
            "Write the key as a text in quotes"
        );
        return;
    }
    mapping.key = key_text(node.value);
    const auto [known, is_new] = mapping.keys.try_emplace(*mapping.key, source_.mark(node.offset));
    if (!is_new) {
        report(
            node.offset,
            fmt::format(
                "expected every key once, found '{}' again (first in line {})",
                *mapping.key,
                known->second.line
            ),
            "Remove one of the two"
        );
    }
}

void Builder::add_member(Frame& mapping, Node node) {
    Member member{*std::exchange(mapping.key, std::nullopt), std::move(node.value), {}};
    member.key_mark = source_.mark(mapping.key_offset);
    mapping.members.append(std::move(member));
}

void Builder::check_colon(const Frame& mapping) {
    const std::string& text = source_.text();
    const std::size_t start = source_.content(mapping.key_offset);
    const ScalarStyle style = source_.style(start);
    if (style == ScalarStyle::empty || style == ScalarStyle::block || text[start] == '*') {
        return;
    }
    const std::size_t end =
        style == ScalarStyle::plain ? start + mapping.key->size() : source_.quote_end(start);
    const std::size_t before = text.find_last_not_of(" \t\n", start == 0 ? 0 : start - 1);
    const bool is_explicit = start > 0 && before != std::string::npos && text[before] == '?';
    const std::size_t next = source_.skip_blank(end);
    if (is_explicit || (next < text.size() && text[next] == ':')) {
        return;
    }
    report_problem(key_without_colon(source_, start, mapping.is_flow));
}

void Builder::check_quote(std::size_t offset) {
    const std::size_t content = source_.content(offset);
    const ScalarStyle style = source_.style(content);
    const bool is_quoted =
        style == ScalarStyle::single_quoted || style == ScalarStyle::double_quoted;
    if (is_quoted && source_.quote_end(content) == std::string::npos) {
        report_problem(unclosed_quote(source_, content));
    }
}

Value Builder::scalar_value(std::size_t offset, const std::string& tag, const std::string& text) {
    const std::size_t content = source_.content(offset);
    if (tag == "!") {
        return Value{text};
    }
    if (is_untagged(tag)) {
        return resolve_plain(text);
    }
    if (tag == kExpressionTag) {
        return expression_value(content, text);
    }
    const bool is_empty = text.empty() && !source_.is_quoted_or_block(content);
    if (is_empty && (tag == kSequenceTag || tag == kMappingTag)) {
        return tag == kSequenceTag ? Value{Value::Array{}} : Value{Object{}};
    }
    if (!is_core_scalar_tag(tag)) {
        report_problem(unknown_tag(source_, offset, tag, "a scalar"));
        return Value{};
    }
    if (std::optional<Value> value = resolve_tagged(tag, text)) {
        return std::move(*value);
    }
    report(
        offset,
        fmt::format("expected a value of type {}, found '{}'", short_tag(tag), text),
        "Remove the tag, or write a value of that type"
    );
    return Value{};
}

Value Builder::expression_value(std::size_t content, const std::string& text) {
    const ScalarStyle style = source_.style(content);
    if (text.empty() && (style == ScalarStyle::plain || style == ScalarStyle::empty)) {
        report(
            content, "expected an expression behind '!!js', found nothing", kEmptyExpressionHint
        );
    }
    Value value{Expression{text}};
    value.set_mark(source_.mark(source_.scalar_text(content)));
    return value;
}

void Builder::check_collection_tag(std::size_t offset, const std::string& tag, bool is_mapping) {
    if (is_untagged(tag) || tag == (is_mapping ? kMappingTag : kSequenceTag)) {
        return;
    }
    report_problem(
        tag == kExpressionTag
            ? unquoted_expression(source_, offset)
            : unknown_tag(source_, offset, tag, is_mapping ? "a mapping" : "a list")
    );
}

Value Builder::mapping_value(Frame& mapping) {
    const Member* expression = mapping.members.find_member(kExpressionKey);
    if (expression == nullptr) {
        return Value{std::move(mapping.members)};
    }
    const std::string* text = expression->value.as_string();
    if (text == nullptr || mapping.members.size() != 1) {
        report(
            mapping.offset,
            fmt::format("expected '{}' alone with a text, which is an expression", kExpressionKey),
            "Write the expression behind '!!js'"
        );
        return Value{};
    }
    Value value{Expression{*text}};
    value.set_mark(expression->value.mark());
    return value;
}

void Builder::spend(std::size_t nodes, std::size_t bytes, std::size_t offset) {
    nodes_ += nodes;
    copied_bytes_ += bytes;
    if (nodes_ > kMaxYamlNodes || copied_bytes_ > kMaxYamlBytes) {
        throw DiagnosticError{problem_at(
            source_,
            offset,
            nodes_ > kMaxYamlNodes
                ? fmt::format("expected at most {} values, found more", kMaxYamlNodes)
                : fmt::format("expected at most {} bytes in aliases, found more", kMaxYamlBytes),
            "Write fewer values, or fewer aliases of large ones"
        )};
    }
}

void Builder::report(std::size_t offset, std::string problem, std::string hint) {
    report_problem(problem_at(source_, offset, std::move(problem), std::move(hint)));
}

void Builder::report_problem(Diagnostic problem) {
    problems_.push_back(std::move(problem));
    if (problems_.size() == kMaxProblems) {
        throw DiagnosticError{problems_};
    }
}

}  // namespace cordon::yaml
