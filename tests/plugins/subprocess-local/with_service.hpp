#pragma once

#include <cordon/async/offload.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/process/subprocess.hpp>

#include <boost/asio/this_coro.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>

#include <subprocess-local/service.hpp>
#include <support/coroutine.hpp>

namespace cordon::testing {

using subprocess_local::EndTimes;
using subprocess_local::LocalSubprocess;

using ServiceTest = Task<> (*)(LocalSubprocess& service);

inline Task<> run_with_service(EndTimes times, ServiceTest body) {
    const auto executor = co_await boost::asio::this_coro::executor;
    LocalSubprocess service{executor, times, [](const std::string&, const std::exception_ptr&) {
                            }};
    std::exception_ptr failure;
    try {
        co_await body(service);
    } catch (...) {
        failure = std::current_exception();
    }
    co_await service.stop();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

/// Runs `body` with a service of its own and ends everything it started.
inline void with_service(ServiceTest body, EndTimes times = {}) {
    run([body, times] { return run_with_service(times, body); });
}

inline SpawnSpec spec_of(std::vector<std::string> argv) {
    SpawnSpec spec;
    spec.argv = std::move(argv);
    spec.cwd = "/";
    return spec;
}

inline SpawnSpec bash(std::string command) {
    return spec_of({"bash", "-c", std::move(command)});
}

struct Finished {
    ExitStatus status;
    CollectedOutput output;
    CollectedOutput error_output;
};

inline Task<Finished> finish(SubprocessService& service, SpawnSpec spec) {
    const auto handle = co_await service.spawn(std::move(spec));
    Finished finished;
    finished.status = co_await handle->wait();
    finished.output = handle->stdout_output();
    finished.error_output = handle->stderr_output();
    co_return finished;
}

/// Whether every copy of the write end of the pipe gets closed, so that whatever held one is gone.
inline bool is_let_go(const Pipe& pipe) {
    constexpr int kPatience = 20'000;
    pollfd poll{pipe.read.get(), POLLIN, 0};
    return ::poll(&poll, 1, kPatience) == 1 && (poll.revents & POLLHUP) != 0;
}

}  // namespace cordon::testing
