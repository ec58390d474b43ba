#include "shell_world.hpp"

#include <cordon/async/completion.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>

namespace {

namespace asio = boost::asio;
using namespace cordon::testing;
using namespace std::chrono_literals;
using cordon::Task;

Task<> complete_at_output(cordon::Completion ready, std::string_view) {
    ready.complete();
    co_return;
}

Task<> never() {
    const auto executor = co_await asio::this_coro::executor;
    const cordon::Completion gate{executor};
    co_await gate.wait();
}

/// How a run ended that was cancelled at `moment`.
struct Cancelled {
    std::optional<cordon::ShellResult> result;
    bool threw_cancellation = false;
};

Task<> record_run(ShellWorld* world, cordon::ShellRequest request, Cancelled* outcome) {
    try {
        outcome->result = co_await world->run(std::move(request));
    } catch (...) {
        outcome->threw_cancellation = cordon::is_cancellation(std::current_exception());
    }
}

Task<Cancelled> run_and_cancel(
    ShellWorld* world, cordon::ShellRequest request, cordon::Completion moment
) {
    const auto executor = co_await asio::this_coro::executor;
    Cancelled outcome;
    asio::cancellation_signal cancel;
    cordon::Completion ended{executor};
    auto run = record_run(world, std::move(request), &outcome);
    asio::co_spawn(
        executor,
        std::move(run),
        asio::bind_cancellation_slot(
            cancel.slot(), [ended](const std::exception_ptr&) mutable { ended.complete(); }
        )
    );
    co_await moment.wait();
    cancel.emit(asio::cancellation_type::terminal);
    co_await ended.wait();
    co_return outcome;
}

Task<> announce(cordon::Completion moment) {
    moment.complete();
    co_await never();
}

}  // namespace

TEST_SUITE("run, timed out") {
    TEST_CASE("ends the command and says so, with the output so far (BL-16, field-74)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("echo begun; sleep 1000; :");
            request.timeout = 1s;
            const auto result = co_await world.run(std::move(request));
            CHECK(result.timed_out);
            CHECK_FALSE(result.aborted);
            CHECK(result.timeout == 1s);
            CHECK(result.duration >= 1s);
            CHECK(result.exit.signal == "SIGTERM");
            CHECK(result.stdout_output.text == "begun\n");
        });
    }

    TEST_CASE("stays a timeout where the command handles the signal and exits 0 (BL-17)") {
        with_shell([](ShellWorld& world) -> Task<> {
            auto request = request_of("trap 'exit 0' TERM; sleep 1000 & wait");
            request.timeout = 1s;
            const auto result = co_await world.run(std::move(request));
            CHECK(result.timed_out);
            CHECK(result.exit.exit_code == 0);
        });
    }

    TEST_CASE("exit codes that others use for timeouts are none of ours (field-98)") {
        with_shell([](ShellWorld& world) -> Task<> {
            for (const char* command : {"exit 124", "exit 137", "exit 143", "kill -9 $$"}) {
                auto request = request_of(command);
                const auto result = co_await world.run(std::move(request));
                CHECK_FALSE(result.timed_out);
                CHECK_FALSE(result.aborted);
            }
        });
    }

    TEST_CASE("while confinement is pending it is a result and nothing starts (BL-20, BX-9)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->before_answer = &never;
            auto request = request_of("echo ran");
            request.timeout = 1ms;
            const auto result = co_await world.run(std::move(request));
            CHECK(result.timed_out);
            CHECK_FALSE(result.aborted);
            CHECK(result.exit == cordon::ExitStatus{});
            CHECK(result.stdout_output.bytes == 0);
            REQUIRE(result.sandbox);
            CHECK(result.sandbox->mode == cordon::SandboxMode::workspace_write);
            CHECK_FALSE(result.sandbox->enforcement);
        });
    }

    TEST_CASE("before the runner has confined anything it is still a timeout (BX-11)") {
        with_shell([](ShellWorld& world) -> Task<> {
            world.sandbox->script = "sleep 1000; :";
            auto request = request_of("echo ran");
            request.timeout = 50ms;
            const auto result = co_await world.run(std::move(request));
            CHECK(result.timed_out);
            CHECK_FALSE(result.sandbox->enforcement);
        });
    }
}

TEST_SUITE("run, cancelled") {
    TEST_CASE("ends the command, the result says so and the caller goes on (BL-16, field-79)") {
        with_shell([](ShellWorld& world) -> Task<> {
            const auto executor = co_await asio::this_coro::executor;
            const cordon::Completion ready{executor};
            auto request = request_of("echo ready; sleep 1000; :");
            request.on_stdout = [ready](std::string_view bytes) {
                return complete_at_output(ready, bytes);
            };
            const auto outcome = co_await run_and_cancel(&world, std::move(request), ready);
            REQUIRE(outcome.result);
            CHECK(outcome.result->aborted);
            CHECK_FALSE(outcome.result->timed_out);
            CHECK(outcome.result->exit.signal == "SIGTERM");
            CHECK(outcome.result->stdout_output.text == "ready\n");
        });
    }

    TEST_CASE("while confinement is pending it is the caller's cancellation (BL-20, BX-15)") {
        with_shell([](ShellWorld& world) -> Task<> {
            const auto executor = co_await asio::this_coro::executor;
            const cordon::Completion asked{executor};
            world.sandbox->before_answer = [asked] {
                return announce(asked);
            };
            auto request = request_of("echo ran");
            const auto outcome = co_await run_and_cancel(&world, std::move(request), asked);
            CHECK_FALSE(outcome.result);
            CHECK(outcome.threw_cancellation);
        });
    }
}
