#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// One file's worth of entries: the root list, or a list of patches.
struct Layer {
    /// How dumps and messages call it: a bundle's name or an absolute path.
    std::string label;
    /// A list of rows or patches; an empty list is an empty layer.
    Value::Array entries;
};

/// A top-level row of a composition and where it comes from.
struct ComposedRow {
    Value row;
    /// Label of the layer that brought it in.
    std::string origin;
    /// Labels of the layers that changed it, in order (spec BOOT-24).
    std::vector<std::string> patched_by;
};

/// Rows ready to be mounted, or dumped: a dump equals what boots (spec PAT-10).
struct Composition {
    std::vector<ComposedRow> rows;
    /// Patches that did not apply, with their layer's place (spec PAT-7, BOOT-25).
    std::vector<Diagnostic> warnings;
};

/// Checks that `document` is a list of mappings (spec PAT-12); an absent document is an empty layer
/// (spec README, decision 2).
///
/// Errors: `DiagnosticError`.
[[nodiscard]] CORDON_API Layer
make_layer(std::string label, const std::string& file, std::optional<Value> document);

/// Applies all `patches` in order to one flat copy of `base` (spec composition.md 5). The inputs
/// are not changed and share nothing with the result.
///
/// Errors: `DiagnosticError` with every problem: a row without a name, two rows of one id (naming
/// both places), an `insert` that is no list, wrongly typed keys, expressions outside `config` and
/// `disabled`.
[[nodiscard]] CORDON_API Composition compose(const Layer& base, const std::vector<Layer>& patches);

/// One loadable YAML document with a comment before each run of rows of the same origin (spec
/// BOOT-24).
[[nodiscard]] CORDON_API std::string dump(const Composition& composition);

}  // namespace cordon
