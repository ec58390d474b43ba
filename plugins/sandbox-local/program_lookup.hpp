#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cordon::sandbox_local {

/// A program that may be started before anything is confined.
struct TrustedProgram {
    /// Absolute, without symbolic links.
    std::string path;
    /// We ourselves could put another file in its place, and so could a command that we let write
    /// there.
    bool replaceable = false;
};

/// A program that was found and must not be used.
struct RefusedProgram {
    std::string path;
    /// `'/opt/bin' can be written by its group or by everybody`
    std::string reason;
};

struct ProgramSearch {
    /// In the order of the search; the first that suits a call is taken.
    std::vector<TrustedProgram> trusted;
    std::vector<RefusedProgram> refused;
};

/// Looks for `name` in the folders of `search_path` (as in PATH). A relative folder is skipped: it
/// means another place for every working directory. A program is trusted where it and every folder
/// above it belong to root or to us and nobody else can change them (weakness W-15, field-15).
/// Blocks on the file system.
[[nodiscard]] ProgramSearch find_program(std::string_view name, std::string_view search_path);

/// The same for one program by its absolute path.
[[nodiscard]] ProgramSearch examine_program(const std::string& path);

/// The same for a program that is installed with `library`, whose code runs in this process: the
/// owner of that is trusted too. In a user namespace that is what root looks like.
[[nodiscard]] ProgramSearch examine_own_program(
    const std::string& path, const std::string& library
);

}  // namespace cordon::sandbox_local
