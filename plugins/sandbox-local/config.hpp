#pragma once

#include "launcher_plan.hpp"
#include "places.hpp"

#include <boost/describe.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace cordon::sandbox_local {

/// The config of the plugin. Keys as in README.
struct Config {
    /// Backends in the order in which they are tried.
    std::vector<std::string> chain{"native", "bwrap", "landlock"};
    /// A runner of the operator's, instead of the chain (spec LP-1, LP-5). Empty: none.
    std::vector<std::string> runner_command;
    std::vector<std::string> runner_failure_signatures;
    /// How long one backend may take to show that it works.
    std::chrono::milliseconds probe_timeout{5000};
    /// Absolute path of the program; absent: found on PATH.
    std::optional<std::string> bwrap;
    /// `processes` or `files`.
    std::string containment = "processes";
    /// `host` or `none`.
    std::string network = "host";
    /// Beside the workspace, in workspace-write. Absolute.
    std::vector<std::string> writable_roots;
    /// Absolute, or relative to the workspace.
    std::vector<std::string> read_only_paths;
    /// `call` or `session`: how long a private `/tmp` lasts.
    std::string temporary = "call";
    /// A workspace that is a linked worktree may write to its repository.
    bool git_worktrees = false;
};

BOOST_DESCRIBE_STRUCT(
    Config,
    (),
    (chain,
     runner_command,
     runner_failure_signatures,
     probe_timeout,
     bwrap,
     containment,
     network,
     writable_roots,
     read_only_paths,
     temporary,
     git_worktrees)
)

/// Errors: code `INVALID_CONFIG`, in the order and with the texts of spec LP-2 first.
void check(const Config& config);

/// Precondition: `check` passed.
[[nodiscard]] Containment containment_of(const Config& config);
[[nodiscard]] Places places_of(const Config& config);

}  // namespace cordon::sandbox_local
