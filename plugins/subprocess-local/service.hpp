#pragma once

#include "process.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/async/task_group.hpp>
#include <cordon/process/subprocess.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cstddef>
#include <memory>
#include <unordered_set>

namespace cordon::subprocess_local {

/// Processes of this host.
///
/// Lifetime: `stop()` must have completed before destruction.
/// Threads: strand only. One thread of its own makes the processes and outlives them all, because a
/// process's parent-death signal comes when the *thread* that made it ends (weakness W-28).
class LocalSubprocess final : public SubprocessService {
public:
    /// `on_failure` hears of sinks that failed.
    LocalSubprocess(
        const boost::asio::any_io_executor& strand, EndTimes times, TaskGroup::OnFailure on_failure
    );

    [[nodiscard]] bool confines_children() const noexcept override { return true; }

    [[nodiscard]] Task<std::unique_ptr<ProcessHandle>> spawn(SpawnSpec spec) override;

    /// Refuses new processes, ends all there are and completes when the last one is gone (spec
    /// SU-70, SU-71).
    [[nodiscard]] Task<> stop();

private:
    class Starting;

    [[nodiscard]] std::shared_ptr<LocalProcess> adopt(LaunchedChild child, const SpawnSpec& spec);
    [[nodiscard]] Task<> own(std::shared_ptr<LocalProcess> process, HostPipes pipes);
    void look_for_quiescence();

    boost::asio::any_io_executor strand_;
    EndTimes times_;
    TaskGroup::OnFailure on_failure_;
    boost::asio::thread_pool spawner_{1};
    std::size_t starting_ = 0;
    bool stopping_ = false;
    std::unordered_set<std::shared_ptr<LocalProcess>> live_;
    Completion quiescent_;
    TaskGroup supervisors_;
};

}  // namespace cordon::subprocess_local
