#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cordon::testing {

/// What a finished program left behind.
struct ProgramResult {
    /// As a shell would see it: 128+n for a death by signal n.
    int status = 0;
    std::string out;
    std::string err;
};

struct ProgramOptions {
    std::filesystem::path cwd = "/";
    /// Added to the environment of the tests; an empty optional removes a variable.
    std::map<std::string, std::optional<std::string>> env;
    std::string input;
};

/// Runs `argv[0]` (looked up on PATH) to its end. A program that hangs is ended by the test's own
/// time limit.
[[nodiscard]] ProgramResult run_program(
    const std::vector<std::string>& argv, const ProgramOptions& options = {}
);

/// The build's own `bin/cordon`, and the folder that holds fixture plugins.
[[nodiscard]] std::filesystem::path cordon_program();
[[nodiscard]] std::filesystem::path fixture_plugins();
/// The root of the source tree.
[[nodiscard]] std::filesystem::path source_root();

}  // namespace cordon::testing
