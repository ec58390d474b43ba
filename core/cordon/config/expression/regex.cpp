#include <cordon/config/expression/failure.hpp>
#include <cordon/config/expression/regex.hpp>
#include <cordon/config/expression/utf.hpp>
#include <cordon/config/number_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace cordon::expression {
namespace {

constexpr std::size_t kMaxInstructions = 2000;
constexpr std::size_t kMaxGroups = 20;
constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

using Op = Regex::Instruction::Op;
using Range = std::pair<char32_t, char32_t>;

const std::vector<Range> kDigit{{'0', '9'}};
const std::vector<Range> kWord{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};

bool is_word(std::string_view text, std::size_t position) {
    return position < text.size() &&
           std::any_of(kWord.begin(), kWord.end(), [&](const Range& range) {
               const auto c = static_cast<unsigned char>(text[position]);
               return range.first <= c && c <= range.second;
           });
}

std::vector<Range> complement(const std::vector<Range>& sorted) {
    std::vector<Range> result;
    char32_t next = 0;
    for (const auto& [low, high] : sorted) {
        if (low > next) {
            result.emplace_back(next, low - 1);
        }
        next = high + 1;
    }
    result.emplace_back(next, 0x10FFFF);
    return result;
}

/// Compiles the pattern to instructions, piece by piece.
class Compiler {
public:
    Compiler(std::string_view pattern, std::size_t offset) : pattern_(pattern), offset_(offset) {}

    std::vector<Regex::Instruction> compile() {
        std::vector<Regex::Instruction> program = alternatives();
        if (at_ < pattern_.size()) {
            fail("expected the end of the regular expression, found ')'");
        }
        add(program, {Op::match});
        return program;
    }

    [[nodiscard]] std::size_t groups() const { return groups_; }

private:
    using Program = std::vector<Regex::Instruction>;

    // Jumps are relative, so that a piece can be moved and repeated.
    Program alternatives() {
        if (++nesting_ > 50) {
            fail("expected at most 50 levels of groups, found more");
        }
        Program result = sequence();
        while (accept('|')) {
            const Program other = sequence();
            Program both;
            add(both, {Op::split, {}, false, 1, static_cast<std::ptrdiff_t>(result.size() + 2)});
            append(both, result);
            add(both, {Op::jump, {}, false, static_cast<std::ptrdiff_t>(other.size() + 1)});
            append(both, other);
            result = std::move(both);
        }
        --nesting_;
        return result;
    }

    Program sequence() {
        Program result;
        while (at_ < pattern_.size() && pattern_[at_] != '|' && pattern_[at_] != ')') {
            append(result, quantified(atom()));
        }
        return result;
    }

    Program atom() {
        const char c = pattern_[at_];
        switch (c) {
            case '(':
                return group();
            case '[':
                return character_class();
            case '.':
                ++at_;
                return set({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}, /*is_negated=*/true);
            case '^':
                ++at_;
                return one({Op::start});
            case '$':
                ++at_;
                return one({Op::end});
            case '\\':
                return escape();
            case '*':
            case '+':
            case '?':
            case '{':
            case '}':
            case ']':
                fail(fmt::format("expected a character of the regular expression, found '{}'", c));
            default:
                return character(next_character());
        }
    }

    Program group() {
        ++at_;
        bool is_capturing = true;
        if (accept('?')) {
            if (!accept(':')) {
                fail("look-around and named groups are not supported in expressions");
            }
            is_capturing = false;
        }
        const std::size_t index = is_capturing ? ++groups_ : 0;
        if (groups_ > kMaxGroups) {
            fail("expected at most 20 groups, found more");
        }
        const Program inner = alternatives();
        if (!accept(')')) {
            fail("expected ')' at the end of the group, found the end of the regular expression");
        }
        if (!is_capturing) {
            return inner;
        }
        Program result = one({Op::save, {}, false, static_cast<std::ptrdiff_t>(2 * index)});
        append(result, inner);
        add(result, {Op::save, {}, false, static_cast<std::ptrdiff_t>(2 * index + 1)});
        return result;
    }

    Program escape() {
        if (at_ + 1 >= pattern_.size()) {
            fail("expected an escape, found the end of the regular expression");
        }
        const char c = pattern_[at_ + 1];
        if (c == 'b' || c == 'B') {
            at_ += 2;
            return one({c == 'b' ? Op::boundary : Op::no_boundary});
        }
        if (c >= '1' && c <= '9') {
            fail("back references are not supported in expressions");
        }
        return set(escaped_ranges(), /*is_negated=*/false);
    }

    /// What the escape at the backslash stands for, in a class or outside.
    std::vector<Range> escaped_ranges() {
        const char c = pattern_[at_ + 1];
        at_ += 2;
        switch (c) {
            case 'd':
                return kDigit;
            case 'D':
                return complement(kDigit);
            case 'w':
                return kWord;
            case 'W':
                return complement(kWord);
            case 's':
                return blank_ranges();
            case 'S':
                return complement(blank_ranges());
            default:
                break;
        }
        constexpr std::string_view kNames = "nrtfv0";
        constexpr std::string_view kCharacters{"\n\r\t\f\v\0", 6};
        if (const std::size_t known = kNames.find(c); known != std::string_view::npos) {
            return one_character(static_cast<unsigned char>(kCharacters[known]));
        }
        if (c == 'x' || c == 'u') {
            return one_character(hex(c == 'x' ? 2 : 4));
        }
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_letter) {
            fail(fmt::format("the escape '\\{}' is not supported in expressions", c));
        }
        --at_;
        return one_character(next_character());
    }

    char32_t hex(std::size_t length) {
        const std::string_view digits = pattern_.substr(std::min(at_, pattern_.size()), length);
        if (digits.size() != length ||
            digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
            fail("expected hexadecimal digits in the escape, found other characters");
        }
        at_ += length;
        return static_cast<char32_t>(radix_number(digits, 16));
    }

    Program character_class() {
        ++at_;
        const bool is_negated = accept('^');
        std::vector<Range> ranges;
        while (!accept(']')) {
            if (at_ >= pattern_.size()) {
                fail("expected ']' at the end of the class, found the end of the regular expression"
                );
            }
            const std::vector<Range> low = class_member();
            const bool is_range =
                at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']';
            if (!is_range || low.size() != 1 || low[0].first != low[0].second) {
                ranges.insert(ranges.end(), low.begin(), low.end());
                continue;
            }
            ++at_;
            const std::vector<Range> high = class_member();
            if (high.size() != 1 || high[0].first != high[0].second ||
                high[0].first < low[0].first) {
                fail("expected a range of characters in order, found another");
            }
            ranges.emplace_back(low[0].first, high[0].first);
        }
        return set(std::move(ranges), is_negated);
    }

    std::vector<Range> class_member() {
        if (pattern_[at_] != '\\') {
            return one_character(next_character());
        }
        if (at_ + 1 >= pattern_.size()) {
            fail("expected an escape, found the end of the regular expression");
        }
        if (pattern_[at_ + 1] == 'b') {
            at_ += 2;
            return one_character('\b');
        }
        return escaped_ranges();
    }

    Program quantified(const Program& piece) {
        std::size_t least = 1;
        std::size_t most = 1;
        if (accept('*')) {
            least = 0;
            most = kUnbounded;
        } else if (accept('+')) {
            most = kUnbounded;
        } else if (accept('?')) {
            least = 0;
        } else if (at_ < pattern_.size() && pattern_[at_] == '{') {
            std::tie(least, most) = bounds();
        } else {
            return piece;
        }
        return repeated(piece, least, most, /*is_lazy=*/accept('?'));
    }

    std::pair<std::size_t, std::size_t> bounds() {
        ++at_;
        const std::size_t least = count();
        std::size_t most = least;
        if (accept(',')) {
            most = at_ < pattern_.size() && pattern_[at_] == '}' ? kUnbounded : count();
        }
        if (!accept('}') || most < least) {
            fail("expected a quantifier such as {1,3}, found another form");
        }
        return {least, most};
    }

    std::size_t count() {
        std::size_t value = 0;
        const std::size_t start = at_;
        while (at_ < pattern_.size() && pattern_[at_] >= '0' && pattern_[at_] <= '9') {
            value = std::min<std::size_t>(
                value * 10 + static_cast<std::size_t>(pattern_[at_++] - '0'), kMaxInstructions
            );
        }
        if (at_ == start) {
            fail("expected a number in the quantifier, found none");
        }
        return value;
    }

    Program repeated(const Program& piece, std::size_t least, std::size_t most, bool is_lazy) {
        Program result;
        for (std::size_t i = 0; i < least; ++i) {
            append(result, piece);
        }
        const auto size = static_cast<std::ptrdiff_t>(piece.size());
        if (most == kUnbounded) {
            append_choice(result, size + 2, is_lazy);
            append(result, piece);
            add(result, {Op::jump, {}, false, -(size + 1)});
            return result;
        }
        for (std::size_t i = least; i < most; ++i) {
            append_choice(result, size + 1, is_lazy);
            append(result, piece);
        }
        return result;
    }

    /// Tries to go on first, or, where lazy, to leave first.
    void append_choice(Program& program, std::ptrdiff_t leave, bool is_lazy) {
        add(program, {Op::split, {}, false, is_lazy ? leave : 1, is_lazy ? 1 : leave});
    }

    static std::vector<Range> one_character(char32_t character) { return {{character, character}}; }

    Program character(char32_t character) { return set(one_character(character), false); }

    Program set(std::vector<Range> ranges, bool is_negated) {
        return one({Op::set, std::move(ranges), is_negated});
    }

    Program one(Regex::Instruction instruction) {
        Program program;
        add(program, std::move(instruction));
        return program;
    }

    void add(Program& program, Regex::Instruction instruction) {
        if (program.size() >= kMaxInstructions) {
            fail("expected a shorter regular expression");
        }
        program.push_back(std::move(instruction));
    }

    void append(Program& program, const Program& piece) {
        for (const Regex::Instruction& instruction : piece) {
            add(program, instruction);
        }
    }

    char32_t next_character() { return decode_character(pattern_, at_); }

    bool accept(char c) {
        if (at_ >= pattern_.size() || pattern_[at_] != c) {
            return false;
        }
        ++at_;
        return true;
    }

    [[noreturn]] void fail(std::string problem) const { refuse(offset_, std::move(problem)); }

    std::string_view pattern_;
    std::size_t offset_;
    std::size_t at_ = 0;
    std::size_t groups_ = 0;
    std::size_t nesting_ = 0;
};

}  // namespace

Regex::Regex(std::string pattern, std::string flags, std::size_t offset)
    : pattern_(std::move(pattern)), flags_(std::move(flags)), offset_(offset) {
    for (const char flag : flags_) {
        if (flag != 'g' && flag != 'i') {
            refuse(
                offset,
                fmt::format("the flag '{}' is not supported in expressions", flag),
                "Use only 'g' and 'i'"
            );
        }
    }
    is_global_ = flags_.find('g') != std::string::npos;
    ignores_case_ = flags_.find('i') != std::string::npos;
    Compiler compiler{pattern_, offset};
    program_ = compiler.compile();
    groups_ = compiler.groups();
}

std::optional<Regex::Match> Regex::find(
    std::string_view text, std::size_t start, std::size_t& steps
) const {
    for (std::size_t at = start; at <= text.size(); ++at) {
        const bool is_inside =
            at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
        if (is_inside) {
            continue;
        }
        if (std::optional<Match> match = match_at(text, at, steps)) {
            return match;
        }
    }
    return std::nullopt;
}

std::optional<Regex::Match> Regex::match_at(
    std::string_view text, std::size_t start, std::size_t& steps
) const {
    Match match(groups_ + 1, {std::string::npos, std::string::npos});
    match[0].first = start;
    std::vector<Choice> choices;
    std::size_t pc = 0;
    std::size_t position = start;
    while (true) {
        if (steps-- == 0) {
            steps = 0;
            refuse(offset_, "expected a match in fewer steps", "Simplify the regular expression");
        }
        const Instruction& instruction = program_[pc];
        if (instruction.op == Op::match) {
            match[0].second = position;
            return match;
        }
        if (instruction.op == Op::split) {
            choices.push_back(Choice{moved(pc, instruction.second), position, match});
        }
        if (step(instruction, text, position, match)) {
            const bool jumps = instruction.op == Op::jump || instruction.op == Op::split;
            pc = jumps ? moved(pc, instruction.first) : pc + 1;
        } else if (choices.empty()) {
            return std::nullopt;
        } else {
            pc = choices.back().pc;
            position = choices.back().position;
            match = std::move(choices.back().match);
            choices.pop_back();
        }
    }
}

bool Regex::step(
    const Instruction& instruction, std::string_view text, std::size_t& position, Match& match
) const {
    switch (instruction.op) {
        case Op::set:
            return matches_set(instruction, text, position);
        case Op::save: {
            const auto slot = static_cast<std::size_t>(instruction.first);
            (slot % 2 == 0 ? match[slot / 2].first : match[slot / 2].second) = position;
            return true;
        }
        case Op::start:
            return position == 0;
        case Op::end:
            return position == text.size();
        case Op::boundary:
        case Op::no_boundary: {
            const bool before = position > 0 && is_word(text, position - 1);
            return (before != is_word(text, position)) == (instruction.op == Op::boundary);
        }
        case Op::jump:
        case Op::split:
        case Op::match:
            break;
    }
    return true;
}

bool Regex::matches_set(
    const Instruction& instruction, std::string_view text, std::size_t& position
) const {
    if (position >= text.size()) {
        return false;
    }
    std::size_t next = position;
    const char32_t character = decode_character(text, next);
    const auto contains = [&](char32_t c) {
        return std::any_of(
            instruction.ranges.begin(),
            instruction.ranges.end(),
            [&](const Range& range) { return range.first <= c && c <= range.second; }
        );
    };
    const char32_t folded = character | 0x20;
    const bool is_letter = character < 0x80 && folded >= 'a' && folded <= 'z';
    const bool is_member =
        contains(character) || (ignores_case_ && is_letter && contains(character ^ 0x20));
    position = next;
    return is_member != instruction.is_negated;
}

std::size_t Regex::moved(std::size_t pc, std::ptrdiff_t distance) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(pc) + distance);
}

}  // namespace cordon::expression
