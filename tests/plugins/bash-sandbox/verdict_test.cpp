#include <doctest/doctest.h>

#include <bash-sandbox/verdict.hpp>

using cordon::ShellResult;
using cordon::bash_sandbox::ConfinedRun;
using cordon::bash_sandbox::judge;

namespace {

/// A run under partial Landlock, whose runner has no status channel.
ConfinedRun landlock_run() {
    ConfinedRun run;
    run.confined.argv = {"landlock-run"};
    run.confined.denial_signatures = {"permission denied"};
    run.confined.runner_failure_rules = {
        {std::vector<int>{125}, {"landlock-run: "}, {"landlock-run: partial enforcement"}}};
    return run;
}

ShellResult ended(int exit_code, std::string stderr_text) {
    ShellResult result;
    result.exit.exit_code = exit_code;
    result.stderr_output.text = std::move(stderr_text);
    return result;
}

std::string verdict(const ConfinedRun& run, const ShellResult& result) {
    try {
        return judge(run, result).denied ? "denied" : "ordinary";
    } catch (const cordon::SandboxUnavailableError& error) {
        return error.message().substr(error.message().find(" Runner failure: ") + 1);
    }
}

}  // namespace

TEST_SUITE("judge") {
    TEST_CASE("the notice of partial enforcement alone is nothing (BX-19)") {
        for (const int code : {0, 1, 2, 125}) {
            CHECK(
                verdict(landlock_run(), ended(code, "landlock-run: partial enforcement\n")) ==
                "ordinary"
            );
        }
    }

    TEST_CASE("a fatal line counts only with the runner's own exit code (BX-19)") {
        const std::string text = "landlock-run: cannot restrict\n";
        CHECK(verdict(landlock_run(), ended(1, text)) == "ordinary");
        CHECK(
            verdict(landlock_run(), ended(125, text)) ==
            "Runner failure: landlock-run: cannot restrict"
        );
    }

    TEST_CASE("a denial below the notice is a denial (BX-19)") {
        const std::string text =
            "landlock-run: partial enforcement\ntouch: /x: Permission denied\n";
        CHECK(verdict(landlock_run(), ended(1, text)) == "denied");
    }

    TEST_CASE("a runner failure outranks words of denial in it (SB-65)") {
        CHECK(
            verdict(landlock_run(), ended(125, "landlock-run: open: Permission denied\n")) ==
            "Runner failure: landlock-run: open: Permission denied"
        );
    }

    TEST_CASE("a report that the command was started rules a runner failure out (W-17)") {
        ConfinedRun run = landlock_run();
        run.report = cordon::RunnerReport{true, "", 0};
        CHECK(verdict(run, ended(125, "landlock-run: nested use\n")) == "ordinary");
    }

    TEST_CASE("a step that failed is the detail where the runner said nothing else") {
        ConfinedRun run = landlock_run();
        run.report = cordon::RunnerReport{false, "landlock", 1};
        CHECK(
            verdict(run, ended(1, "")) ==
            "Runner failure: landlock: Operation not permitted (EPERM)"
        );
    }

    TEST_CASE("a runner that was killed before it confined is a failure that says so") {
        ConfinedRun run = landlock_run();
        run.report = cordon::RunnerReport{};
        ShellResult result;
        result.exit.signal = "SIGSEGV";
        CHECK(
            verdict(run, result) ==
            "Runner failure: the runner ended before it confined the command (killed by SIGSEGV)"
        );
    }
}
