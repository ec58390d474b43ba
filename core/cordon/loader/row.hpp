#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>

#include <array>
#include <string>
#include <string_view>

namespace cordon {

/// The builtin that holds other rows, under the names that real compositions use for it.
inline constexpr std::array<std::string_view, 3> kGroupNames{
    "cordis:group", "@cordisjs/plugin-group", "cordis/group"};

/// The builtin that holds the rows of a file, likewise.
inline constexpr std::array<std::string_view, 3> kIncludeNames{
    "cordis:include", "@cordisjs/plugin-include", "@deepseek-ai/cordis-plugin-include"};

/// Whether a row mounts as a group (spec composition.md 1: also without `group: true`).
[[nodiscard]] bool is_group(const Object& row);

/// Whether a row mounts the rows of a file.
[[nodiscard]] bool is_include(const Object& row);

/// Whether patches may reach the rows inside it (spec PAT-4).
[[nodiscard]] bool is_open_group(const Object& row);

/// JavaScript's idea of a value that counts as true.
[[nodiscard]] bool is_truthy(const Value& value);

/// Empty where there is none, or it is no string.
[[nodiscard]] std::string string_member(const Object& row, std::string_view key);

/// Its `id`, else its `name`, quoted for messages: `row 'bash'`.
[[nodiscard]] std::string subject_of(const Object& row);

/// Where a message about the row points: its `id`, else its first key.
[[nodiscard]] Place place_of(const Value& row);

/// `a mapping`, `the string 'no'`: a value in words, for "expected …, found …".
[[nodiscard]] std::string in_words(const Value& value);

}  // namespace cordon
