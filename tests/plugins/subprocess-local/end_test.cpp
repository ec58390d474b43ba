#include "with_service.hpp"

#include <cordon/async/completion.hpp>
#include <cordon/async/timeout.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>

#include <sys/wait.h>

namespace {

using namespace cordon::testing;
using namespace std::chrono_literals;

constexpr EndTimes kQuick{30ms, 30ms};

/// A process that says `ready` before it goes on.
struct Announced {
    std::unique_ptr<cordon::ProcessHandle> handle;
    cordon::Pipe held;
};

cordon::Task<> complete_at_output(cordon::Completion ready, std::string_view) {
    ready.complete();
    co_return;
}

/// Starts a bash command and waits for its first output. Whatever it starts holds the pipe `held`
/// as descriptor 3.
cordon::Task<Announced> start(LocalSubprocess& service, std::string command) {
    const auto executor = co_await boost::asio::this_coro::executor;
    cordon::Completion ready{executor};
    Announced announced;
    announced.held = cordon::make_pipe();
    auto spec = bash(std::move(command));
    spec.descriptors = {{3, announced.held.write.get()}};
    spec.stdout_mode = cordon::CollectOutput{1000, [ready](std::string_view bytes) {
                                                 return complete_at_output(ready, bytes);
                                             }};
    announced.handle = co_await service.spawn(std::move(spec));
    announced.held.write.reset();
    co_await ready.wait();
    co_return announced;
}

cordon::Task<cordon::ExitStatus> wait_for(cordon::ProcessHandle* handle) {
    co_return co_await handle->wait();
}

}  // namespace

TEST_SUITE("end of a process") {
    TEST_CASE("an exit code is passed on and a death by signal is none (field-97, field-99)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            for (const int code : {0, 1, 125, 126, 127, 137, 255}) {
                auto spec = bash("exit " + std::to_string(code));
                const auto result = co_await finish(service, std::move(spec));
                CHECK(result.status == cordon::ExitStatus{code, std::nullopt});
            }
            auto spec = bash("kill -9 $$");
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.status == cordon::ExitStatus{std::nullopt, "SIGKILL"});
        });
    }

    TEST_CASE("a descendant that keeps the pipes open does not stall the result (field-73)") {
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                auto started = co_await start(service, "sleep 1000 & echo started");
                const auto status = co_await started.handle->wait();
                CHECK(status == cordon::ExitStatus{0, std::nullopt});
                CHECK(started.handle->stdout_output().text == "started\n");
                CHECK(is_let_go(started.held));
            },
            kQuick
        );
    }

    TEST_CASE("a descendant that goes on writing does not stall it either (field-73)") {
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                auto started = co_await start(service, "yes & echo started");
                const auto status = co_await started.handle->wait();
                CHECK(status.exit_code == 0);
                CHECK(is_let_go(started.held));
            },
            kQuick
        );
    }

    TEST_CASE("children in the background end with the process that started them (field-75)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto started =
                co_await start(service, "nohup sleep 1000 >/dev/null 2>&1 & disown; echo started");
            co_await started.handle->wait();
            CHECK(is_let_go(started.held));
        });
    }

    TEST_CASE("many short processes leave no zombies (field-81)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            for (int i = 0; i < 30; ++i) {
                auto spec = spec_of({"true"});
                co_await finish(service, std::move(spec));
            }
            CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
            CHECK(errno == ECHILD);
        });
    }
}

TEST_SUITE("terminate") {
    TEST_CASE("asks the whole group to end, grandchildren too (SU-52, field-74)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto started = co_await start(service, "sleep 1000 & echo ready; wait");
            started.handle->terminate();
            const auto status = co_await started.handle->wait();
            CHECK(status.signal == "SIGTERM");
            CHECK(is_let_go(started.held));
        });
    }

    TEST_CASE("lets a process clean up and keeps what it writes then") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto started = co_await start(
                service, "trap 'echo bye; exit 3' TERM; sleep 1000 & echo ready; wait"
            );
            started.handle->terminate();
            const auto status = co_await started.handle->wait();
            CHECK(status.exit_code == 3);
            CHECK(started.handle->stdout_output().text == "ready\nbye\n");
        });
    }

    TEST_CASE("a child gets its grace period after its shell is gone") {
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                auto started = co_await start(
                    service,
                    "(trap 'sleep 0.1; echo saved; exit' TERM; echo ready; sleep 1000 & wait); :"
                );
                started.handle->terminate();
                const auto status = co_await started.handle->wait();
                CHECK(status.signal == "SIGTERM");
                CHECK(started.handle->stdout_output().text == "ready\nsaved\n");
            },
            EndTimes{20s, 1ms}
        );
    }

    TEST_CASE("forces what ignores SIGTERM after the grace period (SU-50, BL-14)") {
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                auto started = co_await start(service, "trap '' TERM; echo ready; sleep 1000; :");
                started.handle->terminate();
                started.handle->terminate();
                const auto status = co_await started.handle->wait();
                CHECK(status.signal == "SIGKILL");
                CHECK(is_let_go(started.held));
            },
            kQuick
        );
    }

    TEST_CASE("does nothing to a process that has ended (field-79, field-80)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"true"});
            const auto handle = co_await service.spawn(std::move(spec));
            co_await handle->wait();
            handle->terminate();
            const auto status = co_await handle->wait();
            CHECK(status.exit_code == 0);
        });
    }

    TEST_CASE("cancelling wait() ends the process before it throws") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto started = co_await start(service, "echo ready; sleep 1000; :");
            auto waiting = wait_for(started.handle.get());
            const auto status = co_await cordon::with_timeout(std::move(waiting), 1ms);
            CHECK_FALSE(status.has_value());
            CHECK(is_let_go(started.held));
            const auto after = co_await started.handle->wait();
            CHECK(after.signal == "SIGTERM");
        });
    }

    TEST_CASE("letting go of the handle ends the process") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto started = co_await start(service, "echo ready; sleep 1000; :");
            started.handle.reset();
            CHECK(is_let_go(started.held));
        });
    }
}

TEST_SUITE("LocalSubprocess") {
    TEST_CASE("calls no sink after the handle has gone") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const auto executor = co_await boost::asio::this_coro::executor;
            const cordon::Completion ready{executor};
            std::string received;
            auto spec = bash("trap 'echo late; exit' TERM; sleep 1000 & echo ready; wait");
            spec.stdout_mode =
                cordon::CollectOutput{100, [ready, &received](std::string_view bytes) {
                                          received += bytes;
                                          return complete_at_output(ready, bytes);
                                      }};
            auto handle = co_await service.spawn(std::move(spec));
            co_await ready.wait();
            handle.reset();
            co_await service.stop();
            CHECK(received == "ready\n");
        });
    }

    TEST_CASE("stop() ends every process and starts no more (SU-70)") {
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                auto polite = co_await start(service, "echo ready; sleep 1000; :");
                auto stubborn = co_await start(service, "trap '' TERM; echo ready; sleep 1000; :");
                co_await service.stop();
                CHECK(is_let_go(polite.held));
                CHECK(is_let_go(stubborn.held));
                auto spec = spec_of({"true"});
                std::string refusal;
                try {
                    const auto handle = co_await service.spawn(std::move(spec));
                } catch (const cordon::Error& error) {
                    refusal = error.code();
                }
                CHECK(refusal == "SERVICE_UNAVAILABLE");
            },
            kQuick
        );
    }
}
