#include <cordon/process/subprocess.hpp>

namespace cordon {

ProcessHandle::~ProcessHandle() = default;

SubprocessService::~SubprocessService() = default;

}  // namespace cordon
