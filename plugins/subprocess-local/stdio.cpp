#include "stdio.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace cordon::subprocess_local {
namespace {

int keep(Stdio& stdio, UniqueFd end) {
    return stdio.child_ends.emplace_back(std::move(end)).get();
}

int open_null(Stdio& stdio) {
    UniqueFd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!null) {
        throw system_error("open", "/dev/null", errno);
    }
    return keep(stdio, std::move(null));
}

int open_input(Stdio& stdio, InputMode& mode) {
    if (auto* bytes = std::get_if<InputBytes>(&mode)) {
        Pipe pipe = make_pipe();
        stdio.host.input = HostPipes::Input{std::move(pipe.write), std::move(bytes->bytes)};
        return keep(stdio, std::move(pipe.read));
    }
    if (const auto* inherited = std::get_if<InheritDescriptor>(&mode)) {
        return inherited->fd;
    }
    return open_null(stdio);
}

int open_output(Stdio& stdio, OutputMode& mode, HostPipes::Output& host) {
    if (auto* collect = std::get_if<CollectOutput>(&mode)) {
        Pipe pipe = make_pipe();
        host = HostPipes::Output{std::move(pipe.read), std::move(*collect)};
        return keep(stdio, std::move(pipe.write));
    }
    if (const auto* inherited = std::get_if<InheritDescriptor>(&mode)) {
        return inherited->fd;
    }
    return open_null(stdio);
}

}  // namespace

Stdio open_stdio(SpawnSpec& spec) {
    Stdio stdio;
    stdio.moves = {
        DescriptorMove{open_input(stdio, spec.stdin_mode), STDIN_FILENO},
        DescriptorMove{open_output(stdio, spec.stdout_mode, stdio.host.output), STDOUT_FILENO},
        DescriptorMove{
            open_output(stdio, spec.stderr_mode, stdio.host.error_output), STDERR_FILENO},
    };
    for (const auto& [child, host] : spec.descriptors) {
        stdio.moves.push_back(DescriptorMove{host, child});
    }
    return stdio;
}

}  // namespace cordon::subprocess_local
