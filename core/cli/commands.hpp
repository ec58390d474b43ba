#pragma once

#include "options.hpp"

namespace cordon::cli {

/// Each runs one command of the tool and returns the exit status.
///
/// Errors: `Error`, for `report_failure`; nothing was run then.
[[nodiscard]] int run_command(const Options& options);
[[nodiscard]] int confine_command(const Options& options);
[[nodiscard]] int compose_command(const Options& options);
[[nodiscard]] int check_command(const Options& options);
[[nodiscard]] int eval_command(const Options& options);
[[nodiscard]] int doctor_command(const Options& options);
[[nodiscard]] int plugins_command(const Options& options);
[[nodiscard]] int graph_command(const Options& options);
[[nodiscard]] int profile_command(const Options& options);

}  // namespace cordon::cli
