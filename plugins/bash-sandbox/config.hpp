#pragma once

#include <cordon/config/schema.hpp>
#include <cordon/config/value.hpp>

#include <boost/describe.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace cordon::bash_sandbox {

/// The config of the plugin with the keys of the contract (shell.md, part 4c). Numbers, so that a
/// negative one gets the contract's text.
struct Config {
    /// Working directory of commands that name none; absent: that of the host.
    std::optional<std::string> cwd;
    double timeout_ms = 120'000;
    /// Caps every timeout, the default too.
    double max_timeout_ms = 600'000;
    /// What is kept of each output stream.
    double max_output_bytes = 64'000;
    /// Accepted for compositions that set it; nothing is spilled to files yet.
    double max_spill_bytes = 67'108'864;
    double grace_ms = 3'000;
};

BOOST_DESCRIBE_STRUCT(
    Config, (), (cwd, timeout_ms, max_timeout_ms, max_output_bytes, max_spill_bytes, grace_ms)
)

/// What is wrong with the numbers, in the order and with the texts of spec BL-1; empty where
/// nothing is. Timeouts that no timer can carry are refused here, not at the first run (W-S12).
[[nodiscard]] std::vector<std::string> wrong_settings(const Config& config);

/// Everything that `wrong_settings` and the types of the members refuse.
[[nodiscard]] ConfigSchema config_schema();

/// Errors: `DiagnosticError`; `Error` with the first text of `wrong_settings`.
[[nodiscard]] Config decode_config(const Value& raw);

}  // namespace cordon::bash_sandbox
