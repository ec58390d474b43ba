#pragma once

#include <cordon/async/task.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/generation.hpp>
#include <cordon/loader/module.hpp>
#include <cordon/loader/sources.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace cordon {

/// What rows are prepared with. Private to the room.
struct Surroundings {
    /// In which rows of the top level are mounted, and `disabled` is evaluated (spec EXP-7).
    Context context;
    ModuleResolver& modules;
    /// Service to plugin, without the services that the host provides.
    std::map<std::string, std::string> defaults;
    std::shared_ptr<const Branch> root;
    /// Of includes.
    MissingFile missing_files = MissingFile::write;
};

/// Makes everything of the next generation that can be made without touching what runs: reads
/// included files that `sources` has no document for, evaluates `disabled`, opens plugins, adds
/// providers by default until no row lacks one. What goes wrong with a row is kept in its entry.
///
/// `around` must outlive the call, `previous` may be null. Errors: `duplicate loader entry id`.
[[nodiscard]] Task<GenerationPtr> prepare(
    const Surroundings& around, Sources sources, std::shared_ptr<const Generation> previous
);

/// Services that some row needs and no row provides, as the outermost scope has them.
[[nodiscard]] std::set<std::string> lacking_services(const Generation& generation);

}  // namespace cordon
