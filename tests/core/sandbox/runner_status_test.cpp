#include <cordon/sandbox/runner_status.hpp>

#include <doctest/doctest.h>

using cordon::parse_runner_report;

TEST_SUITE("parse_runner_report") {
    TEST_CASE("a confined command that was started leaves one record") {
        const auto report = parse_runner_report("confined\n");
        CHECK(report.confined);
        CHECK(report.started());
        CHECK(report.failed_step.empty());
    }

    TEST_CASE("a command that could not be executed was confined, but did not start (W-19)") {
        const auto report = parse_runner_report("confined\nfailed exec 2\n");
        CHECK(report.confined);
        CHECK_FALSE(report.started());
        CHECK(report.failed_step == "exec");
        CHECK(report.error == 2);
    }

    TEST_CASE("a failed restriction names its step") {
        const auto report = parse_runner_report("failed landlock 38\n");
        CHECK_FALSE(report.confined);
        CHECK(report.failed_step == "landlock");
        CHECK(report.error == 38);
    }

    TEST_CASE("a runner that died before its first record confined nothing") {
        const auto report = parse_runner_report("");
        CHECK_FALSE(report.confined);
        CHECK_FALSE(report.started());
    }

    TEST_CASE("malformed text never counts as confined") {
        for (const char* text :
             {"confined",
              "confine",
              "confined\nconfined\n",
              "confined\nnoise\n",
              "confined\nfailed exec\n",
              "confined\nfailed exec 2",
              "confined\nfailed exec x\n",
              "confined\nfailed exec 2\nmore\n",
              "confined\nfailed  2\n",
              "failed exec -1\n",
              " confined\n"}) {
            CAPTURE(text);
            CHECK_FALSE(parse_runner_report(text).confined);
            CHECK(parse_runner_report(text).failed_step.empty());
        }
    }
}
