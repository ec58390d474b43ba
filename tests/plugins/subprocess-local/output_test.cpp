#include "with_service.hpp"

#include <csignal>

#include <sys/wait.h>

namespace {

using namespace cordon::testing;
using namespace std::chrono_literals;

/// A sink that takes nothing before the process has ended.
cordon::Task<> take_after_exit(pid_t* pid, std::string* received, std::string_view bytes) {
    const auto wait_for_exit = [pid] {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(*pid), &info, WEXITED | WNOWAIT);
    };
    co_await cordon::offload(wait_for_exit);
    received->append(bytes);
}

cordon::Task<> refuse_bytes(std::string_view) {
    throw cordon::Error{"the reader has gone"};
    co_return;
}

}  // namespace

TEST_SUITE("output") {
    TEST_CASE("standard output and standard error are kept apart, each with its own cap (SU-31)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = bash("printf 12345; printf abcde >&2");
            spec.stdout_mode = cordon::CollectOutput{3, nullptr};
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "345");
            CHECK(result.output.truncated);
            CHECK(result.error_output.text == "abcde");
            CHECK_FALSE(result.error_output.truncated);
        });
    }

    TEST_CASE("the end of huge output is kept, with the exit status (field-94)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = bash("head -c 5000000 /dev/zero; echo LAST; exit 3");
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text.ends_with("LAST\n"));
            CHECK(result.output.bytes == 5'000'005);
            CHECK(result.status.exit_code == 3);
        });
    }

    TEST_CASE("what the process wrote reaches a slow sink whole, however short the drain window") {
        constexpr cordon::testing::EndTimes kImpatient{3000ms, 1ms};
        with_service(
            [](LocalSubprocess& service) -> cordon::Task<> {
                pid_t pid = 0;
                std::string received;
                auto spec = bash("head -c 60000 /dev/zero; echo end");
                spec.stdout_mode =
                    cordon::CollectOutput{10, [&pid, &received](std::string_view bytes) {
                                              return take_after_exit(&pid, &received, bytes);
                                          }};
                const auto handle = co_await service.spawn(std::move(spec));
                pid = handle->pid();
                co_await handle->wait();
                CHECK(received.size() == 60'004);
                CHECK(received.ends_with("end\n"));
            },
            kImpatient
        );
    }

    TEST_CASE("a sink that fails closes the stream, as a reader that goes away does") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"yes"});
            spec.stdout_mode = cordon::CollectOutput{10, refuse_bytes};
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.status.signal == "SIGPIPE");
        });
    }

    TEST_CASE("discarded output goes nowhere and inherited output to its descriptor") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const cordon::Pipe pipe = cordon::make_pipe();
            auto spec = bash("echo out; echo err >&2");
            spec.stdout_mode = cordon::InheritDescriptor{pipe.write.get()};
            spec.stderr_mode = cordon::DiscardOutput{};
            const auto result = co_await finish(service, std::move(spec));
            char text[8] = {};
            CHECK(::read(pipe.read.get(), text, sizeof text) == 4);
            CHECK(std::string{text} == "out\n");
            CHECK(result.error_output.bytes == 0);
        });
    }
}

TEST_SUITE("input") {
    TEST_CASE("without input a reader sees the end at once (SU-8, field-84)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = bash("cat; readlink /proc/self/fd/0");
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "/dev/null\n");
        });
    }

    TEST_CASE("given bytes arrive, then the end, also for no bytes at all") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"cat"});
            spec.stdin_mode = cordon::InputBytes{"hello"};
            auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "hello");
            spec = spec_of({"cat"});
            spec.stdin_mode = cordon::InputBytes{""};
            result = co_await finish(service, std::move(spec));
            CHECK(result.status.exit_code == 0);
        });
    }

    TEST_CASE("input larger than any pipe arrives whole") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"wc", "-c"});
            spec.stdin_mode = cordon::InputBytes{std::string(3'000'000, 'x')};
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "3000000\n");
        });
    }

    TEST_CASE("a process that ignores large input neither hangs nor kills the host (field-84)") {
        std::signal(SIGPIPE, SIG_DFL);  // NOLINT(cert-err33-c)
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"true"});
            spec.stdin_mode = cordon::InputBytes{std::string(3'000'000, 'x')};
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.status.exit_code == 0);
        });
    }
}
