#include "service.hpp"

#include "handle.hpp"
#include "stdio.hpp"

#include <cordon/async/shield.hpp>
#include <cordon/process/spawn_check.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon::subprocess_local {
namespace {

Task<LaunchedChild> launch_task(LaunchPlan plan) {
    co_return launch(plan);
}

}  // namespace

/// Counts a start under way, so that `stop()` waits for it.
class LocalSubprocess::Starting {
public:
    explicit Starting(LocalSubprocess& service) : service_(service) { ++service_.starting_; }

    ~Starting() {
        --service_.starting_;
        service_.look_for_quiescence();
    }

    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;

private:
    LocalSubprocess& service_;
};

LocalSubprocess::LocalSubprocess(
    const boost::asio::any_io_executor& strand, EndTimes times, TaskGroup::OnFailure on_failure
)
    : strand_(strand),
      times_(times),
      on_failure_(std::move(on_failure)),
      quiescent_(strand),
      supervisors_(strand, on_failure_) {}

Task<std::unique_ptr<ProcessHandle>> LocalSubprocess::spawn(SpawnSpec spec) {
    check_spawn(spec);
    if (stopping_) {
        throw Error{
            "subprocess-local is shutting down and starts nothing any more", "SERVICE_UNAVAILABLE"};
    }
    const Starting starting{*this};
    Stdio stdio = open_stdio(spec);
    LaunchPlan plan;
    plan.argv = spec.argv;
    plan.cwd = spec.cwd;
    plan.environment = child_environment(host_environment(), spec.env);
    plan.moves = stdio.moves;
    plan.confinement = spec.confinement;
    auto launching = launch_task(std::move(plan));
    LaunchedChild child = co_await shield(spawner_.get_executor(), std::move(launching));

    const auto process = adopt(std::move(child), spec);
    supervisors_.spawn(
        fmt::format("process {}", process->pid()), own(process, std::move(stdio.host))
    );
    if (stopping_) {
        process->terminate();
    }
    co_return std::make_unique<LocalHandle>(process);
}

std::shared_ptr<LocalProcess> LocalSubprocess::adopt(LaunchedChild child, const SpawnSpec& spec) {
    EndTimes times = times_;
    times.grace = spec.grace.value_or(times_.grace);
    auto process = std::make_shared<LocalProcess>(strand_, std::move(child), times, on_failure_);
    live_.insert(process);
    return process;
}

Task<> LocalSubprocess::own(std::shared_ptr<LocalProcess> process, HostPipes pipes) {
    co_await LocalProcess::supervise(process, std::move(pipes));
    live_.erase(process);
    look_for_quiescence();
}

Task<> LocalSubprocess::stop() {
    stopping_ = true;
    for (const auto& process : live_) {
        process->terminate();
    }
    look_for_quiescence();
    co_await shield(strand_, quiescent_.wait());
    co_await supervisors_.stop();
}

void LocalSubprocess::look_for_quiescence() {
    if (stopping_ && starting_ == 0 && live_.empty()) {
        quiescent_.complete();
    }
}

}  // namespace cordon::subprocess_local
