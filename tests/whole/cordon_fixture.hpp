#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <support/program.hpp>
#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

namespace cordon::testing {

/// A workspace and a folder outside it, and the binary to try them with.
class CordonFixture {
public:
    CordonFixture() {
        std::filesystem::create_directory(workspace());
        std::filesystem::create_directory(outside());
    }

    [[nodiscard]] std::filesystem::path workspace() const { return folder_.path() / "workspace"; }

    [[nodiscard]] std::filesystem::path outside() const { return folder_.path() / "outside"; }

    [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

    /// `cordon ARGUMENTS…` in the workspace.
    [[nodiscard]] ProgramResult cordon(
        std::vector<std::string> arguments, ProgramOptions options = {}
    ) const {
        arguments.insert(arguments.begin(), cordon_program());
        if (options.cwd == "/") {
            options.cwd = workspace();
        }
        return run_program(arguments, options);
    }

    /// `cordon run --workspace W OPTIONS… -- SOURCE`.
    ProgramResult run(const std::string& source, std::vector<std::string> options = {}) const {
        std::vector<std::string> arguments{"run", "--workspace", workspace()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        arguments.insert(arguments.end(), {"--", source});
        return cordon(std::move(arguments));
    }

private:
    TemporaryFolder folder_;
};

/// Whether this host lets the base composition confine anything.
inline bool can_confine() {
    static const bool kCan = CordonFixture{}.cordon({"doctor"}).status == 0;
    return kCan;
}

}  // namespace cordon::testing

#define CORDON_REQUIRE_CONFINEMENT()                                                \
    do {                                                                            \
        if (!::cordon::testing::can_confine()) {                                    \
            CORDON_SKIP_UNCONFINED("no backend can confine commands on this host"); \
        }                                                                           \
    } while (false)
