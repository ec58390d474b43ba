#pragma once

#include <cordon/async/task.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/context/service.hpp>
#include <cordon/process/environment.hpp>
#include <cordon/sandbox/child_confinement.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sys/types.h>

namespace cordon {

/// Receives output as it arrives. The reader awaits it before it reads on, which is the
/// back-pressure. `bytes` is valid until the returned coroutine completes. A sink that throws
/// closes the stream, as a reader that goes away does: the process gets SIGPIPE or EPIPE at its
/// next write.
using OutputSink = std::function<Task<>(std::string_view bytes)>;

/// Output of a process that is kept: the last `max_bytes` bytes, exactly (spec SU-30).
struct CollectOutput {
    std::size_t max_bytes = 64'000;
    /// Also given everything, byte for byte. May be null.
    OutputSink sink;
};

/// The descriptor is passed on as it is.
struct InheritDescriptor {
    int fd = -1;
};

struct DiscardOutput {};

using OutputMode = std::variant<CollectOutput, InheritDescriptor, DiscardOutput>;

/// Standard input: `/dev/null`, the given bytes and then end of file, or a descriptor of the host.
struct NoInput {};

struct InputBytes {
    std::string bytes;
};

using InputMode = std::variant<NoInput, InputBytes, InheritDescriptor>;

/// Everything that starting a process needs; nothing is defaulted from the host but the
/// environment.
struct SpawnSpec {
    /// Program and arguments; the program is looked up in the child's PATH unless it has a slash.
    std::vector<std::string> argv;
    /// Must be an existing directory; checked with an error of its own.
    std::string cwd;
    /// Added to the scrubbed environment of the host (spec SU-20..SU-22).
    EnvironmentChanges env;
    InputMode stdin_mode = NoInput{};
    OutputMode stdout_mode = CollectOutput{};
    OutputMode stderr_mode = CollectOutput{};
    /// Further descriptors of the child: number in the child, descriptor of the host. All others
    /// are closed.
    std::map<int, int> descriptors;
    /// Applied to the child before the program is executed. Only for a service that
    /// `confines_children()`; the service keeps it until the program runs. `argv[0]` must be
    /// absolute then, and the only further descriptor the runner's status.
    std::shared_ptr<const ChildConfinement> confinement;
    /// From a polite to a forced end; absent: the service's own.
    std::optional<std::chrono::milliseconds> grace;
};

/// How a process ended: one of the two is present.
struct ExitStatus {
    std::optional<int> exit_code;
    /// `SIGKILL`, …
    std::optional<std::string> signal;

    friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

/// What was kept of one stream.
struct CollectedOutput {
    /// UTF-8; invalid bytes are replaced, and no character is cut in half at the front.
    std::string text;
    /// Bytes of the whole stream.
    std::uint64_t bytes = 0;
    /// Something at the front is missing from `text`.
    bool truncated = false;
    /// File with the whole stream, where one was kept.
    std::optional<std::string> spill_path;
};

/// A started process and everything it starts (its session and process group).
///
/// Lifetime: the service that made it ends the process before it goes away; so does the destructor
/// of this handle, without waiting and without calling a sink again.
class CORDON_API ProcessHandle {
public:
    virtual ~ProcessHandle();

    ProcessHandle(const ProcessHandle&) = delete;
    ProcessHandle& operator=(const ProcessHandle&) = delete;

    [[nodiscard]] virtual pid_t pid() const noexcept = 0;

    /// Completes when the process has ended and its output is collected. A descendant that keeps
    /// the pipes open delays it by a short drain window only; what is left of the process group is
    /// killed then (spec README, decision 6).
    ///
    /// Cancellation: starts `terminate()`, waits for the end, then throws `operation_aborted`.
    [[nodiscard]] virtual Task<ExitStatus> wait() = 0;

    /// Asks the whole group to end, and forces it after the grace period. Idempotent; never signals
    /// a process that has been reaped.
    virtual void terminate() = 0;

    /// Empty for streams that are not collected. Readable while the process runs and after.
    [[nodiscard]] virtual CollectedOutput stdout_output() const = 0;
    [[nodiscard]] virtual CollectedOutput stderr_output() const = 0;

protected:
    ProcessHandle() = default;
};

/// A process could not be started: the step and errno say why. Code `SPAWN_FAILED`. A working
/// directory that does not exist reads `working directory does not exist: PATH`.
class CORDON_API SpawnError : public Error {
public:
    enum class Origin : std::uint8_t { process, confinement };

    /// `step`: `chdir`, `exec`, … `subject`: the path or program it was about.
    SpawnError(std::string step, std::string subject, int error, Origin origin = Origin::process);
    SpawnError(const SpawnError&) = default;
    SpawnError& operator=(const SpawnError&) = default;
    ~SpawnError() override;

    [[nodiscard]] const std::string& step() const noexcept { return step_; }

    [[nodiscard]] const std::string& subject() const noexcept { return subject_; }

    [[nodiscard]] int error() const noexcept { return error_; }

    /// `confinement`: it could not be put in force, and nothing ran.
    [[nodiscard]] Origin origin() const noexcept { return origin_; }

private:
    std::string step_;
    std::string subject_;
    int error_;
    Origin origin_;
};

/// Starts and ends processes of this host. Key `subprocess`.
class CORDON_API SubprocessService : public Service {
public:
    static constexpr std::string_view service_name = "subprocess";

    ~SubprocessService() override;

    /// Whether `SpawnSpec::confinement` is applied. One that is set for a service that does not
    /// makes `spawn` fail.
    [[nodiscard]] virtual bool confines_children() const noexcept;

    /// Completes when the program has been executed.
    ///
    /// Errors: `SpawnError`; `Error` with the texts of spec SU-3..SU-6 for a spec that cannot work.
    /// Cancellation: nothing is started, or what was started is ended.
    [[nodiscard]] virtual Task<std::unique_ptr<ProcessHandle>> spawn(SpawnSpec spec) = 0;
};

}  // namespace cordon
