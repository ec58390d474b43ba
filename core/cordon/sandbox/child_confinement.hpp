#pragma once

#include <cordon/base/export.hpp>
#include <cordon/sandbox/runner_option.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// The program that a confined child is about to execute. Made before the child exists, and still
/// there when it runs.
struct ChildProgram {
    const char* path = nullptr;
    char* const* argv = nullptr;
    /// With room for one more entry behind the null that ends it.
    char** envp = nullptr;
    /// Absolute; entered in the command's view, or the start fails.
    const char* cwd = nullptr;
    /// The one descriptor above 2 that the program gets; below 0: none.
    int status_fd = -1;
};

/// What stopped a child. Texts live as long as the confinement.
struct ChildFailure {
    /// `chdir` and `exec` are about the command, every other step about the confinement.
    const char* step = "";
    /// As errno.
    int error = 0;
    /// What the step was about; may be empty.
    const char* subject = "";
};

/// Confinement that a spawner applies itself, between clone and exec, instead of executing a runner
/// that does it. One object may serve several children, at the same time.
class CORDON_API ChildConfinement {
public:
    virtual ~ChildConfinement();

    ChildConfinement(const ChildConfinement&) = delete;
    ChildConfinement& operator=(const ChildConfinement&) = delete;

    /// CLONE_NEW… flags that the child must be made with.
    [[nodiscard]] virtual unsigned long namespaces() const noexcept = 0;

    /// Puts every restriction in force and executes the program; returns only where that failed,
    /// and the child must end then. Runs in a child that shares the memory of a suspended thread:
    /// it is async-signal-safe, does not allocate, and leaves no trace in memory, `errno` included.
    [[nodiscard]] virtual ChildFailure become(const ChildProgram& program) const noexcept = 0;

protected:
    ChildConfinement() = default;
};

/// The same call as `ConfinedArgv::argv`, for a spawner that applies the confinement itself: the
/// argv to execute then, which has no runner in it that could obey variables of the command.
struct PreparedArgv {
    std::vector<std::string> argv;
    /// Absent where what is executed is the command itself: its start is known without a report.
    std::optional<RunnerStatusOption> status;
    std::shared_ptr<const ChildConfinement> confinement;
};

}  // namespace cordon
