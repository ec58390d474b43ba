#pragma once

#include <cordon/loader/entry.hpp>
#include <cordon/loader/module.hpp>

namespace cordon {

/// Finds and opens the plugin of every wanted entry that carries no rows; what goes wrong is kept
/// in the entry, so that all of it is known before anything starts. Blocks on the file system.
/// Private to the room.
void import_plugins(Entries& entries, ModuleResolver& modules);

}  // namespace cordon
