#include <cordon/config/expression/evaluator.hpp>
#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/property.hpp>
#include <cordon/config/expression/replacement.hpp>
#include <cordon/config/expression/utf.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace cordon::expression {
namespace {

std::vector<Regex::Match> text_matches(
    std::string_view text, std::string_view needle, bool only_first
) {
    std::vector<Regex::Match> matches;
    std::size_t at = text.find(needle);
    while (at != std::string_view::npos) {
        matches.push_back(Regex::Match{{at, at + needle.size()}});
        if (only_first) {
            break;
        }
        std::size_t next = at + needle.size();
        if (needle.empty()) {
            if (next >= text.size()) {
                break;
            }
            (void)decode_character(text, next);
        }
        at = text.find(needle, next);
    }
    return matches;
}

std::string_view group(std::string_view text, const Regex::Match& match, std::size_t index) {
    const auto [begin, end] = match[index];
    return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin);
}

/// The group that `$N` or `$NN` at the start of `pattern` names, with the length of its digits.
std::pair<std::size_t, std::size_t> named_group(std::string_view pattern, std::size_t groups) {
    const auto digit = [&](std::size_t i) {
        return i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9'
                   ? static_cast<std::size_t>(pattern[i] - '0')
                   : std::string_view::npos;
    };
    const std::size_t first = digit(1);
    const std::size_t second = digit(2);
    if (first == std::string_view::npos) {
        return {0, 0};
    }
    const std::size_t both = second == std::string_view::npos ? 0 : first * 10 + second;
    if (both > 0 && both < groups) {
        return {both, 2};
    }
    return first > 0 && first < groups ? std::pair{first, std::size_t{1}}
                                       : std::pair{std::size_t{0}, std::size_t{0}};
}

std::string expanded(std::string_view text, const Regex::Match& match, std::string_view pattern) {
    std::string result;
    while (!pattern.empty()) {
        const char next = pattern.size() > 1 && pattern[0] == '$' ? pattern[1] : '\0';
        const auto [index, digits] = next == '\0' ? std::pair<std::size_t, std::size_t>{}
                                                  : named_group(pattern, match.size());
        std::size_t used = 2;
        if (next == '$') {
            result += '$';
        } else if (next == '&') {
            result += group(text, match, 0);
        } else if (next == '`') {
            result += text.substr(0, match[0].first);
        } else if (next == '\'') {
            result += text.substr(match[0].second);
        } else if (digits > 0) {
            result += group(text, match, index);
            used = 1 + digits;
        } else {
            result += pattern[0];
            used = 1;
        }
        pattern.remove_prefix(used);
    }
    return result;
}

std::string replacement(const Invocation& call, std::string_view text, const Regex::Match& match) {
    const JsValue& with = call.argument(1);
    if (!with.is_callable()) {
        return expanded(text, match, shown(with, call.offset));
    }
    JsArray arguments;
    for (std::size_t i = 0; i < match.size(); ++i) {
        const bool took_part = match[i].second != std::string_view::npos;
        arguments.push_back(
            took_part ? call.evaluator.text(std::string{group(text, match, i)}, call.offset)
                      : JsValue{}
        );
    }
    arguments.emplace_back(static_cast<double>(utf16_length(text.substr(0, match[0].first))));
    arguments.push_back(call.self);
    return shown(call.evaluator.call(with, arguments, call.offset), call.offset);
}

JsValue replaced(const Invocation& call, const std::vector<Regex::Match>& matches) {
    const std::string_view text = *call.self.text();
    std::string result;
    std::size_t start = 0;
    for (const Regex::Match& match : matches) {
        result += text.substr(start, match[0].first - start);
        const std::string piece = replacement(call, text, match);
        call.evaluator.spend(1 + piece.size() / 16, call.offset);
        result += piece;
        start = match[0].second;
    }
    result += text.substr(start);
    return call.evaluator.text(std::move(result), call.offset);
}

}  // namespace

std::vector<Regex::Match> all_matches(
    const Invocation& call, std::string_view text, const Regex& regex, bool only_first
) {
    std::vector<Regex::Match> matches;
    std::size_t start = 0;
    while (start <= text.size()) {
        std::optional<Regex::Match> match = regex.find(text, start, call.evaluator.steps());
        if (!match) {
            break;
        }
        const auto [begin, end] = match->front();
        matches.push_back(*std::move(match));
        if (only_first) {
            break;
        }
        start = end;
        if (begin == end) {  // an empty match: go on behind the next character
            if (start == text.size()) {
                break;
            }
            (void)decode_character(text, start);
        }
    }
    return matches;
}

JsValue replace_first(const Invocation& call) {
    const std::string_view text = *call.self.text();
    if (const auto* regex = call.argument(0).get_if<RegexPtr>()) {
        const bool only_first = !(*regex)->is_global();
        return replaced(call, all_matches(call, text, **regex, only_first));
    }
    return replaced(call, text_matches(text, shown(call.argument(0), call.offset), true));
}

JsValue replace_all(const Invocation& call) {
    const std::string_view text = *call.self.text();
    if (const auto* regex = call.argument(0).get_if<RegexPtr>()) {
        if (!(*regex)->is_global()) {
            throw_error(
                call.offset,
                "TypeError",
                "replaceAll must be called with a global RegExp",
                "Add the flag g"
            );
        }
        return replaced(call, all_matches(call, text, **regex, false));
    }
    return replaced(call, text_matches(text, shown(call.argument(0), call.offset), false));
}

}  // namespace cordon::expression
