#pragma once

#include <cordon/loader/entry.hpp>
#include <cordon/loader/module.hpp>

#include <filesystem>

namespace cordon {

/// Finds and opens the plugin of every mountable entry that is no group; what goes wrong is kept in
/// the entry, so that all of it is known before anything starts. Blocks on the file system. Private
/// to the room.
void import_plugins(
    Entries& entries, ModuleResolver& modules, const std::filesystem::path& base_folder
);

}  // namespace cordon
