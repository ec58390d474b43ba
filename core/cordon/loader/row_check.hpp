#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>

#include <vector>

namespace cordon {

/// Where an entry stands decides which keys it may have: a row is a plugin to mount, a patch
/// changes a row or inserts rows.
enum class EntryKind { row, patch };

/// Checks the keys of one entry against the shapes of spec composition.md 1: wrongly typed values
/// and expressions that nothing would evaluate are errors (spec DIF-L6, field-133), unknown keys
/// are warnings with the nearest known one (spec README, decision 5). Does not look into nested
/// rows.
void check_keys(const Object& entry, EntryKind kind, std::vector<Diagnostic>& found);

/// Checks that `row` can be one: a mapping of known shapes with a name.
void check_row_shape(const Value& row, std::vector<Diagnostic>& found);

}  // namespace cordon
