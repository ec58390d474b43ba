#include "status_pipe.hpp"

#include <cordon/base/error.hpp>

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace cordon::bash_sandbox {

StatusPipe::StatusPipe() : pipe_(make_pipe()) {
    if (::fcntl(pipe_.read.get(), F_SETFL, O_NONBLOCK) != 0) {
        throw system_error("fcntl", "runner status pipe", errno);
    }
}

void StatusPipe::map_into(SpawnSpec& spec) const {
    spec.descriptors[kDescriptor] = pipe_.write.get();
}

void StatusPipe::close_write_end() {
    pipe_.write.reset();
}

RunnerReport StatusPipe::report() const {
    // More than any report; a longer text is malformed, which counts as "not confined".
    std::array<char, 1024> buffer{};
    std::string bytes;
    while (bytes.size() < buffer.size()) {
        const ssize_t size = ::read(pipe_.read.get(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size <= 0) {
            break;
        }
        bytes.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return parse_runner_report(bytes);
}

}  // namespace cordon::bash_sandbox
