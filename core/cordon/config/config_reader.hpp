#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// What a number, or a length, may be.
struct NumberRules {
    std::optional<double> min = std::nullopt;
    std::optional<double> max = std::nullopt;
    /// Counted from `min`, or from 0, in decimals: 0.3 is a multiple of 0.1.
    std::optional<double> step = std::nullopt;
};

/// Where a decoder is in the config it reads, and every problem it has found so far. A problem's
/// text is path, space, message, without a path at the top: `$.targets[1] expected string but got
/// 1` (spec SCH-16). One value has one problem, the first (spec SCH-17); every value is looked at.
class CORDON_API ConfigReader {
public:
    /// `subject` names the whole config in messages, and may be empty.
    explicit ConfigReader(std::string subject = {}) : subject_(std::move(subject)) {}

    /// Reads the value of a key with `read`, so that problems name `path.key`.
    template <typename Read>
    void enter_key(std::string_view key, Read read) {
        const std::size_t length = shown_path_.size();
        append_key(key);
        read();
        leave(length);
    }

    /// The same for `path[index]`.
    template <typename Read>
    void enter_item(std::size_t index, Read read) {
        const std::size_t length = shown_path_.size();
        append_index(index);
        read();
        leave(length);
    }

    /// Whether `read`, which is given a reader at this place, finds no problem. Its problems are
    /// added to `tried` and not to this reader's.
    template <typename Read>
    [[nodiscard]] bool accepts(Read read, std::vector<Diagnostic>& tried) const {
        ConfigReader reader = *this;
        reader.problems_.clear();
        read(reader);
        tried.insert(tried.end(), reader.problems_.begin(), reader.problems_.end());
        return reader.problems_.empty();
    }

    /// `expected TYPE but got JSON`.
    void expected(std::string_view type, const Value& found, std::string hint = {});

    /// A text that is none of `names`; the hint is the nearest.
    void expected_one_of(std::span<const std::string> names, const Value& found);

    /// `found` fits none of the alternatives of the union `type`. The hint is the problem of the
    /// alternative that reached deepest among `tried`, if one got beyond the value itself.
    void expected_union(
        std::string_view type, const Value& found, const std::vector<Diagnostic>& tried
    );

    /// `expected WHAT >= N but got M` where `number`, a property of `found`, is out of range, and
    /// `expected WHAT multiple of S but got M` where it is not `min`, or 0, and steps of `step`.
    void check_number(
        std::string_view what, double number, const NumberRules& rules, const Value& found
    );

    /// The same for the length in UTF-16 units, and `expect string to match regexp RE`.
    void check_text(
        const std::string& text,
        const NumberRules& length,
        std::string_view pattern,
        const Value& found
    );

    void unknown_key(std::span<const std::string> keys, const Member& found);

    void missing_key(std::string_view key, const Value& mapping);

    void missing_item(std::size_t index, const Value& list);

    /// A problem of a setting's own, at the place of `found`.
    void report(const Value& found, std::string message, std::string hint = {});

    [[nodiscard]] const std::vector<Diagnostic>& problems() const { return problems_; }

private:
    void append_key(std::string_view key);
    void append_index(std::size_t index);
    void leave(std::size_t length);
    void report_at(const Mark& mark, std::string message, std::string hint);

    std::string subject_;
    std::vector<std::string> path_;
    std::string shown_path_;
    std::vector<Diagnostic> problems_;
};

/// The value as JSON, cut after 80 bytes. What an expression gave is shown by its kind only, at any
/// depth, because it may come from the environment.
[[nodiscard]] CORDON_API std::string found_text(const Value& value);

/// A JSON string: `"x"`, as a text prints in types.
[[nodiscard]] CORDON_API std::string quoted_text(std::string_view text);

/// `workspaceRoot` for the member `workspace_root`. A trailing underscore, which keeps a name off a
/// keyword, falls away.
[[nodiscard]] CORDON_API std::string key_of_member(std::string_view member);

/// The same for a duration: `killGraceMs` for the members `kill_grace` and `kill_grace_ms`.
[[nodiscard]] CORDON_API std::string key_of_duration(std::string_view member);

/// `workspace-write` for the enumerator `workspace_write`.
[[nodiscard]] CORDON_API std::string text_of_enumerator(std::string_view enumerator);

}  // namespace cordon
