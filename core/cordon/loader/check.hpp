#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/base/export.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/patch.hpp>
#include <cordon/loader/tree.hpp>

#include <vector>

namespace cordon {

/// Everything that can be wrong with rows without starting one: expressions, plugins that cannot be
/// opened, configs that a plugin's schema refuses, services that no row provides, rows that wait
/// for each other. In the order of the rows, each with a place.
///
/// A config with an expression that asks a service is checked for its expressions only. What
/// plugins provide is taken from their lists (PluginDescriptor::provides). Included files are read,
/// and written where they are absent and have `initial` rows, as a start would.
///
/// `context` is that of a container without rows, on whose strand this runs; `modules` and the
/// container must outlive the call. Errors: `duplicate loader entry id`.
[[nodiscard]] CORDON_API Task<std::vector<Diagnostic>> check_rows(
    Context context, Composition composition, ModuleResolver& modules, MountOptions options
);

}  // namespace cordon
