#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::expression {

/// A regular expression literal: characters, classes, groups, alternatives, quantifiers, anchors,
/// with the flags `g` and `i`. Look-around, back references, named groups and the other flags are
/// refused. `i` folds ASCII only.
///
/// Matching tries alternatives in JavaScript's order, with a stack of its own, so that neither the
/// text nor the pattern can exhaust the program's. The caller bounds the number of steps.
class Regex {
public:
    /// `offset` is where it stands in the expression.
    ///
    /// Errors: `Refusal` for a construct that is not supported.
    Regex(std::string pattern, std::string flags, std::size_t offset);

    /// Begin and end of the whole match, then of every group; npos for a group that took no part.
    using Match = std::vector<std::pair<std::size_t, std::size_t>>;

    /// The first match at or behind `start`. Takes from `steps`.
    ///
    /// Errors: `Refusal` where the steps are used up.
    [[nodiscard]] std::optional<Match> find(
        std::string_view text, std::size_t start, std::size_t& steps
    ) const;

    [[nodiscard]] bool is_global() const { return is_global_; }

    /// `/pattern/flags`
    [[nodiscard]] std::string text() const { return '/' + pattern_ + '/' + flags_; }

    struct Instruction {
        enum class Op { set, save, start, end, boundary, no_boundary, jump, split, match };

        Op op = Op::match;
        /// Of a set: the characters it takes, or, where negated, does not take.
        std::vector<std::pair<char32_t, char32_t>> ranges = {};
        bool is_negated = false;
        /// Of a jump and a split: relative targets, the first tried first. Of a save: the slot.
        std::ptrdiff_t first = 0;
        std::ptrdiff_t second = 0;
    };

private:
    /// Where to go on when the way taken fails.
    struct Choice {
        std::size_t pc;
        std::size_t position;
        Match match;
    };

    [[nodiscard]] std::optional<Match> match_at(
        std::string_view text, std::size_t start, std::size_t& steps
    ) const;
    [[nodiscard]] bool step(
        const Instruction& instruction, std::string_view text, std::size_t& position, Match& match
    ) const;
    [[nodiscard]] bool matches_set(
        const Instruction& instruction, std::string_view text, std::size_t& position
    ) const;
    [[nodiscard]] static std::size_t moved(std::size_t pc, std::ptrdiff_t distance);

    std::string pattern_;
    std::string flags_;
    std::size_t offset_;
    bool is_global_ = false;
    bool ignores_case_ = false;
    std::size_t groups_ = 0;
    std::vector<Instruction> program_;
};

}  // namespace cordon::expression
