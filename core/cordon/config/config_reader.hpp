#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Where a decoder is in the config it reads, and every problem it has found so far.
class CORDON_API ConfigReader {
public:
    /// `subject` names the whole config in messages: `config`.
    explicit ConfigReader(std::string subject) : path_(std::move(subject)) {}

    /// Reads the value of a key with `read`, so that problems name `path.key`.
    template <typename Read>
    void enter_key(std::string_view key, Read read) {
        const std::size_t length = path_.size();
        append_key(key);
        read();
        path_.resize(length);
    }

    /// The same for `path[index]`.
    template <typename Read>
    void enter_item(std::size_t index, Read read) {
        const std::size_t length = path_.size();
        path_ += '[' + std::to_string(index) + ']';
        read();
        path_.resize(length);
    }

    /// `expected` with its article: `a list`, `an integer from 0 to 65535`.
    void expected(std::string_view expected, const Value& found);

    /// A text that is none of `names`; the hint is the nearest.
    void expected_one_of(std::span<const std::string> names, const Value& found);

    void unknown_key(std::span<const std::string> keys, const Member& found);

    void missing_key(std::string_view key, const Value& mapping);

    [[nodiscard]] const std::vector<Diagnostic>& problems() const { return problems_; }

private:
    void append_key(std::string_view key);
    void report(const Mark& mark, std::string problem, std::string hint);

    std::string path_;
    std::vector<Diagnostic> problems_;
};

/// `a list`, `'dnager'`, `3.5`: the words of messages. The content of a value that an expression
/// gave is not shown, because it may come from the environment.
[[nodiscard]] CORDON_API std::string found_text(const Value& value);

/// `workspaceRoot` for the member `workspace_root`. A trailing underscore, which keeps a name off a
/// keyword, falls away.
[[nodiscard]] CORDON_API std::string key_of_member(std::string_view member);

/// The same for a duration: `killGraceMs` for the members `kill_grace` and `kill_grace_ms`.
[[nodiscard]] CORDON_API std::string key_of_duration(std::string_view member);

/// `workspace-write` for the enumerator `workspace_write`.
[[nodiscard]] CORDON_API std::string text_of_enumerator(std::string_view enumerator);

}  // namespace cordon
