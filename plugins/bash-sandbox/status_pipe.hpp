#pragma once

#include <cordon/base/unique_fd.hpp>
#include <cordon/process/subprocess.hpp>
#include <cordon/sandbox/runner_status.hpp>

namespace cordon::bash_sandbox {

/// The channel on which a runner says whether it started the command (runner_status.hpp).
class StatusPipe {
public:
    /// The number of the write end in the runner.
    static constexpr int kDescriptor = 3;

    /// Errors: code `SYSTEM_ERROR`.
    StatusPipe();

    void map_into(SpawnSpec& spec) const;

    /// To be called once the runner has been started.
    void close_write_end();

    /// What the runner wrote. Does not wait: records are far smaller than a pipe, so this is called
    /// when the runner has ended, and a write end that something kept open cannot stall it.
    [[nodiscard]] RunnerReport report() const;

private:
    Pipe pipe_;
};

}  // namespace cordon::bash_sandbox
