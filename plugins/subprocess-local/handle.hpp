#pragma once

#include "process.hpp"

#include <cordon/process/subprocess.hpp>

#include <memory>

namespace cordon::subprocess_local {

/// A caller's hold on a process. Letting go of it ends the process and calls no sink any more.
class LocalHandle final : public ProcessHandle {
public:
    explicit LocalHandle(std::shared_ptr<LocalProcess> process);
    ~LocalHandle() override;

    LocalHandle(const LocalHandle&) = delete;
    LocalHandle& operator=(const LocalHandle&) = delete;

    [[nodiscard]] pid_t pid() const noexcept override { return process_->pid(); }

    [[nodiscard]] Task<ExitStatus> wait() override;

    void terminate() override { process_->terminate(); }

    [[nodiscard]] CollectedOutput stdout_output() const override;
    [[nodiscard]] CollectedOutput stderr_output() const override;

private:
    std::shared_ptr<LocalProcess> process_;
};

}  // namespace cordon::subprocess_local
