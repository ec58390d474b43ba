#include <cordon/process/subprocess.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace cordon {
namespace {

std::string directory_message(const std::string& path, int error) {
    switch (error) {
        case ENOENT:
            return "working directory does not exist: " + path;
        case ENOTDIR:
            return "working directory is not a directory: " + path;
        default:
            return fmt::format(
                "working directory cannot be entered: {}: {}", path, errno_text(error)
            );
    }
}

std::string spawn_message(const std::string& step, const std::string& subject, int error) {
    if (step == "chdir") {
        return directory_message(subject, error);
    }
    std::string message =
        fmt::format("cannot start '{}': {}: {}", subject, step, errno_text(error));
    if (error == E2BIG) {
        message += "; one argument may hold 128 KiB, pass longer input by file or standard input";
    } else if (error == EAGAIN) {
        message += "; the limit of processes is reached, end some or raise it";
    }
    return message;
}

std::string confinement_message(const std::string& step, const std::string& subject, int error) {
    const std::string about = subject.empty() ? step : fmt::format("{} '{}'", step, subject);
    return fmt::format("the confinement failed at {}: {}", about, errno_text(error));
}

}  // namespace

ProcessHandle::~ProcessHandle() = default;

SpawnError::SpawnError(std::string step, std::string subject, int error, Origin origin)
    : Error(
          origin == Origin::confinement ? confinement_message(step, subject, error)
                                        : spawn_message(step, subject, error),
          "SPAWN_FAILED"
      ),
      step_(std::move(step)),
      subject_(std::move(subject)),
      error_(error),
      origin_(origin) {}

SpawnError::~SpawnError() = default;

SubprocessService::~SubprocessService() = default;

bool SubprocessService::confines_children() const noexcept {
    return false;
}

}  // namespace cordon
