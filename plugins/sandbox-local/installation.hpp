#pragma once

#include "host_facts.hpp"
#include "program_lookup.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace cordon::sandbox_local {

/// What the backends are made from: found once, when the plugin starts.
struct Installation {
    HostFacts facts;
    ProgramSearch bwrap;
    ProgramSearch launcher;
    ProgramSearch init;
};

/// `bwrap` from `configured` where there is one, else from PATH; our own programs from beside
/// libcordon. Blocks on the file system.
[[nodiscard]] Installation look_for_programs(const std::optional<std::string>& configured);

/// The program for a call with this workspace; null where there is none. A command that may write
/// in the workspace could replace a program there, and the next call would start the replacement
/// unconfined.
[[nodiscard]] const TrustedProgram* choose(
    const ProgramSearch& search, const std::string& workspace
);

/// Why `choose` found none; empty where there is nothing to say beyond "not installed".
[[nodiscard]] std::string mistrust_of(const ProgramSearch& search, std::string_view program);

/// Lines for `doctor`.
void describe_programs(
    const ProgramSearch& search, std::string_view program, std::vector<std::string>& facts
);

}  // namespace cordon::sandbox_local
