#include <cordon/sandbox/runner_argv.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using cordon::ConfinedArgv;
using cordon::runner_argv;
using cordon::RunnerCall;
using Words = std::vector<std::string>;

TEST_SUITE("runner_argv") {
    TEST_CASE("puts each option and its value where the runner expects it") {
        ConfinedArgv confined;
        confined.argv = {"runner", "--", "launch", "--mode", "m", "--", "true"};
        confined.status = cordon::RunnerStatusOption{3, "--status-fd"};
        confined.workdir = cordon::RunnerWorkdirOption{1, "--chdir"};

        const Words expected{
            "runner",
            "--chdir",
            "/ws",
            "--",
            "launch",
            "--status-fd",
            "5",
            "--mode",
            "m",
            "--",
            "true"};
        CHECK(runner_argv(confined, RunnerCall{5, "/ws"}) == expected);
    }

    TEST_CASE("leaves out what the call does not say or the runner does not understand") {
        ConfinedArgv confined;
        confined.argv = {"runner", "true"};
        CHECK(runner_argv(confined, RunnerCall{5, "/ws"}) == Words{"runner", "true"});

        confined.status = cordon::RunnerStatusOption{1, "--status-fd"};
        confined.workdir = cordon::RunnerWorkdirOption{1, "--chdir"};
        CHECK(runner_argv(confined, RunnerCall{}) == Words{"runner", "true"});
        CHECK(runner_argv(confined, RunnerCall{5, "/ws"}).size() == 6);
    }
}
