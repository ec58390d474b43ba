#include <cordon/base/text.hpp>
#include <cordon/config/yaml/scalar.hpp>
#include <cordon/config/yaml/syntax.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace cordon::yaml {
namespace {

constexpr std::string_view kTag = "!!js";

struct Explanation {
    std::string_view yaml_cpp;
    const char* problem;
    const char* hint;
};

// yaml-cpp takes a tag behind "- " for the start of a key, and counts the indentation from there.
constexpr const char* kShallowBlock =
    "expected the lines of the expression to be indented deeper than its '!!js', found less";
constexpr const char* kShallowBlockHint = "Indent the lines by two more";

constexpr const char* kCheckIndentation =
    "Indent the line like its neighbours, or quote the value if it is meant to go on here";

/// The messages of yaml-cpp that need no look at the text. Not a constant: yaml-cpp's are none.
std::span<const Explanation> explanations() {
    static const std::array kKnown{
        Explanation{
            YAML::ErrorMsg::MAP_VALUE,
            "expected no ': ' here, found one inside or behind a value",
            "Quote a value that contains ': ', and check that every line above has its colon and "
            "the "
            "indentation of its neighbours"},
        Explanation{
            YAML::ErrorMsg::BLOCK_ENTRY,
            "expected a value, found '- ' on the line of its key",
            "Start the list on the next line, or quote the value"},
        Explanation{
            YAML::ErrorMsg::MAP_KEY,
            "expected a value, found '? ', which starts a key",
            "Quote the value"},
        Explanation{
            YAML::ErrorMsg::END_OF_MAP,
            "expected the next key of the mapping or its end, found text that belongs to neither",
            kCheckIndentation},
        Explanation{
            YAML::ErrorMsg::END_OF_SEQ,
            "expected the next '- ' of the list or its end, found text that belongs to neither",
            kCheckIndentation},
        Explanation{
            YAML::ErrorMsg::FLOW_END,
            "expected a value, found a closing bracket without an opening one",
            "Remove the bracket, or quote the value"},
        Explanation{
            YAML::ErrorMsg::MULTIPLE_TAGS,
            "expected one tag, found a second one",
            "Quote the value if it starts with '!'"},
        Explanation{
            YAML::ErrorMsg::UNKNOWN_ANCHOR,
            "expected the name of an anchor above, found an alias of an unknown one",
            "Quote the value if its '*' is meant as text"},
        Explanation{
            YAML::ErrorMsg::INVALID_HEX,
            "expected hexadecimal digits in the escape, found another character",
            "Correct the escape, or use single quotes, which know no escapes"},
        Explanation{
            YAML::ErrorMsg::TAB_IN_INDENTATION,
            "expected spaces as indentation, found a tab",
            kTabHint},
    };
    return kKnown;
}

std::string expression_hint(std::string_view text) {
    return text.empty() ? std::string{kEmptyExpressionHint}
                        : fmt::format("Quote the whole expression: {} {}", kTag, quoted(text));
}

/// What follows the tag at `tag_offset`; a `!` behind it belongs to the expression.
std::string_view expression_text(const Source& source, std::size_t tag_offset) {
    const std::size_t end = source.text().find_first_of(" \t\n", tag_offset);
    return end == std::string::npos ? std::string_view{} : source.rest(source.skip_blank(end));
}

/// Where the unquoted `!!js` stands whose text runs into `offset`: in the same line, or in a line
/// above that is indented less.
std::optional<std::size_t> expression_before(const Source& source, std::size_t offset) {
    const std::size_t start = source.line_start(offset);
    const std::string_view before = std::string_view{source.text()}.substr(start, offset - start);
    const std::size_t tag = before.rfind(kTag);
    if (tag != std::string_view::npos) {
        return start + tag;
    }
    const std::size_t indentation = source.line(offset).find_first_not_of(' ');
    for (std::size_t line = start; line > 0;) {
        line = source.line_start(line - 1);
        const std::string_view text = source.line(line);
        if (text.find_first_not_of(' ') < indentation) {
            const std::size_t found = text.rfind(kTag);
            return found == std::string_view::npos ? std::nullopt : std::optional{line + found};
        }
    }
    return std::nullopt;
}

/// Whether the text of the expression stands in lines of its own, behind `|` or `>`.
bool begins_block(const Source& source, std::size_t tag_offset) {
    const std::string_view text = expression_text(source, tag_offset);
    return text.starts_with('|') || text.starts_with('>');
}

std::string_view plain_word(const Source& source, std::size_t offset) {
    const std::string_view text = source.rest(offset);
    return trim(text.substr(0, text.find(": ")));
}

Diagnostic unknown_token(const Source& source, std::size_t offset) {
    const char c = offset < source.text().size() ? source.text()[offset] : ' ';
    return problem_at(
        source,
        offset,
        fmt::format("expected a value, found '{}', which cannot start an unquoted text", c),
        fmt::format("Quote it: {}", quoted(plain_word(source, offset)))
    );
}

Diagnostic unclosed_bracket(const Source& source, std::size_t offset, std::size_t bracket) {
    const char opening = source.text()[bracket];
    const char closing = opening == '[' ? ']' : '}';
    return problem_at(
        source,
        offset,
        fmt::format(
            "expected ',' or '{}' for the '{}' in line {}, found something else",
            closing,
            opening,
            source.mark(bracket).line
        ),
        "Close the bracket, or quote the value if the bracket is meant as text"
    );
}

std::optional<Diagnostic> explained(
    const Source& source, const std::string& message, std::size_t offset
) {
    for (const Explanation& known : explanations()) {
        if (message == known.yaml_cpp) {
            return problem_at(source, offset, known.problem, known.hint);
        }
    }
    return std::nullopt;
}

bool is_about_tokens(const std::string& message) {
    using namespace YAML::ErrorMsg;
    const std::array<std::string_view, 6> messages{
        MAP_VALUE, BLOCK_ENTRY, MAP_KEY, END_OF_MAP, MULTIPLE_TAGS, UNKNOWN_TOKEN};
    return std::find(messages.begin(), messages.end(), message) != messages.end();
}

}  // namespace

Diagnostic problem_at(
    const Source& source, std::size_t offset, std::string problem, std::string hint
) {
    return Diagnostic{
        Severity::error, source.place(offset), {}, std::move(problem), std::move(hint)};
}

Diagnostic unquoted_expression(const Source& source, std::size_t tag_offset) {
    const std::string_view text = expression_text(source, tag_offset);
    return problem_at(
        source,
        tag_offset,
        "expected one text behind '!!js', found characters that YAML itself reads",
        expression_hint(text)
    );
}

Diagnostic unknown_tag(
    const Source& source, std::size_t offset, const std::string& tag, std::string_view node
) {
    return problem_at(
        source,
        offset,
        fmt::format("expected a known tag on {}, found '{}'", node, short_tag(tag)),
        tag == "!js" ? "Write '!!js'" : "Remove the tag, or quote the value if '!' is part of it"
    );
}

Diagnostic key_without_colon(const Source& source, std::size_t key, bool is_flow) {
    const std::string_view word = plain_word(source, key);
    const std::optional<std::size_t> expression =
        is_flow ? expression_before(source, key) : std::nullopt;
    if (expression) {
        return problem_at(
            source,
            key,
            "expected one text behind '!!js', found a comma, which ends it inside brackets",
            expression_hint(expression_text(source, *expression))
        );
    }
    const std::string_view name = is_flow ? word.substr(0, word.find(',')) : word;
    return problem_at(
        source,
        key,
        fmt::format("expected ':' behind the key, found '{}' alone", name),
        fmt::format("Write '{}: VALUE', or indent the line if it continues the value above", name)
    );
}

Diagnostic unclosed_quote(const Source& source, std::size_t quote) {
    return problem_at(
        source,
        quote,
        fmt::format(
            "expected a closing {} for the one here, found the end of the file",
            source.text()[quote]
        ),
        "Close the quote"
    );
}

Diagnostic second_document(const Source& source, std::size_t offset) {
    const bool is_marked = source.line(offset).starts_with("---");
    return problem_at(
        source,
        offset,
        is_marked ? "expected one document, found a second one"
                  : "expected the end of the file, found more text behind its value",
        is_marked ? "Put it into a file of its own"
                  : "Check for a stray quote or a list beside a mapping above"
    );
}

Diagnostic syntax_error(
    const Source& source,
    const YAML::Exception& error,
    std::size_t last_value,
    std::optional<std::size_t> open_bracket
) {
    const std::size_t size = source.text().size();
    const std::size_t offset =
        error.mark.pos < 0 ? size : std::min(size, static_cast<std::size_t>(error.mark.pos));
    if (source.is_indented_by_tab(offset)) {
        return problem_at(source, offset, "expected spaces as indentation, found a tab", kTabHint);
    }
    const std::optional<std::size_t> expression = expression_before(source, offset);
    if (expression && begins_block(source, *expression)) {
        return problem_at(source, offset, kShallowBlock, kShallowBlockHint);
    }
    const bool is_in_bracket = is_unclosed_bracket(error) && offset < size && expression &&
                               source.line_start(*expression) == source.line_start(offset);
    if (expression && (is_in_bracket || is_about_tokens(error.msg))) {
        return unquoted_expression(source, *expression);
    }
    if (error.msg == YAML::ErrorMsg::UNKNOWN_TOKEN) {
        return unknown_token(source, offset);
    }
    if (is_unclosed_bracket(error) && open_bracket) {
        return unclosed_bracket(source, offset, *open_bracket);
    }
    const std::size_t quote = source.text().find_first_of("'\"", last_value);
    if (error.msg == YAML::ErrorMsg::EOF_IN_SCALAR && quote != std::string::npos) {
        return unclosed_quote(source, quote);
    }
    if (auto known = explained(source, error.msg, offset)) {
        return *std::move(known);
    }
    return problem_at(source, offset, fmt::format("expected valid YAML, found: {}", error.msg), {});
}

bool is_unclosed_bracket(const YAML::Exception& error) {
    return error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW ||
           error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
}

}  // namespace cordon::yaml
