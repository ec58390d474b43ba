#pragma once

#include "config.hpp"
#include "status_pipe.hpp"
#include "verdict.hpp"

#include <cordon/context/context.hpp>
#include <cordon/shell/shell.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon::bash_sandbox {

/// Runs `bash -c` under the policy of each call: confined by the `sandbox` service, or as it is
/// under danger-full-access (spec BX-1..BX-13).
///
/// Threads: strand only. Uses the services `subprocess`, `sandbox` and `sandboxPolicy` of its
/// context, looked up at each call.
class BashSandbox final : public ShellExecutor {
public:
    /// `bash_candidates`: absolute paths, best first.
    BashSandbox(Context context, Config config, std::vector<std::filesystem::path> bash_candidates);

    /// The default mode at the time this executor was started (spec BX-1).
    [[nodiscard]] std::optional<SandboxMode> sandbox_mode() const override { return mode_; }

    /// Errors: code `INVALID_REQUEST` with the texts of spec BL-6 and BL-7.
    [[nodiscard]] Task<ShellSpec> resolve(ShellRequest request) override;

    [[nodiscard]] Task<ShellResult> run(ShellSpec spec) override;

private:
    using Clock = std::chrono::steady_clock;

    /// A command on its way: what to run, and since when.
    struct Call {
        ShellSpec spec;
        SandboxExecutionPolicy policy;
        Clock::time_point started;

        [[nodiscard]] Clock::duration remaining() const {
            return started + spec.timeout - Clock::now();
        }

        [[nodiscard]] std::chrono::milliseconds duration() const {
            return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started);
        }
    };

    [[nodiscard]] Task<ShellResult> run_unconfined(Call call, SpawnSpec spawn);
    [[nodiscard]] Task<ShellResult> run_confined(
        Call call, ConfinedSandboxMode mode, SpawnSpec spawn
    );
    /// Spawns, waits within the deadline and collects. `status`, where not null, is closed on this
    /// side once the process is there.
    [[nodiscard]] Task<ShellResult> execute(
        std::shared_ptr<const Call> call, SpawnSpec spawn, std::shared_ptr<StatusPipe> status
    );
    [[nodiscard]] static ShellResult timed_out_before_start(const Call& call);
    [[nodiscard]] static std::shared_ptr<StatusPipe> prepare_runner(
        const ConfinedRun& run, SpawnSpec& spawn
    );
    [[nodiscard]] static std::shared_ptr<StatusPipe> prepare_child(
        ConfinedRun& run, SpawnSpec& spawn
    );
    [[nodiscard]] SpawnSpec plain_spawn(const Call& call, std::string bash) const;

    Context context_;
    Config config_;
    std::vector<std::filesystem::path> bash_candidates_;
    SandboxMode mode_;
};

}  // namespace cordon::bash_sandbox
