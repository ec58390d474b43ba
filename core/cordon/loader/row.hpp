#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Where an entry stands decides which keys it may have: a row is a plugin to mount, a patch
/// changes a row or inserts rows.
enum class EntryKind { row, patch };

/// The builtin that holds other rows, under the names that real compositions use for it.
inline constexpr std::array<std::string_view, 3> kGroupNames{
    "cordis:group", "@cordisjs/plugin-group", "cordis/group"};

/// Whether a row mounts as a group (spec composition.md 1: also without `group: true`).
[[nodiscard]] bool is_group(const Object& row);

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

/// Checks the keys of one entry against the shapes of spec composition.md 1: wrongly typed values
/// and expressions that nothing would evaluate are errors (spec DIF-L6, field-133), unknown keys
/// are warnings with the nearest known one (spec README, decision 5). Does not look into nested
/// rows.
void check_keys(const Object& entry, EntryKind kind, std::vector<Diagnostic>& found);

/// Checks that every entry of the `config` of a group can be a row.
void check_row_shape(const Value& row, std::vector<Diagnostic>& found);

/// `a mapping`, `the string 'no'`: a value in words, for "expected …, found …".
[[nodiscard]] std::string in_words(const Value& value);

}  // namespace cordon
