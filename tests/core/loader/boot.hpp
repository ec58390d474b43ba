#pragma once

#include "layers.hpp"

#include <cordon/async/task.hpp>
#include <cordon/context/container.hpp>
#include <cordon/loader/tree.hpp>

#include <functional>
#include <string>
#include <vector>

namespace cordon::testing {

struct Setup {
    /// Layers over the empty list.
    std::vector<std::string> texts;
    MountOptions options;
    /// Runs on the strand before mounting and while the tree stands.
    std::function<void(const Context&)> prepare;
    std::function<void(const Context&, const EntryTree&)> inspect;
};

struct Outcome {
    /// Of a failed mount; empty where it succeeded.
    std::string failure;
    std::string code;
    /// The message of its root cause.
    std::string deepest;
    std::vector<RowStatus> rows;
    /// `id:active`, `id:disabled`, … for each row while the tree stood, separated by blanks.
    std::string states;
    /// Everything logged until the mount ended, and until the container was shut down.
    std::string log_of_mount;
    std::string log;
};

/// Mounts a composition of fixture plugins in a container of its own and shuts it down again.
[[nodiscard]] Task<Outcome> boot(Setup setup);

/// The same for layers alone.
[[nodiscard]] Task<Outcome> boot(std::string text);

/// The line of a failure that speaks of the row; empty where there is none.
[[nodiscard]] std::string line_of(const std::string& failure, const std::string& row_id);

}  // namespace cordon::testing
