#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using cordon::testing::CordonFixture;
using cordon::testing::fixture_plugins;
using cordon::testing::ProgramResult;

namespace {

/// Runs a command over the base composition with one more row, which stands at line 2 of its file.
struct BadRow : CordonFixture {
    ProgramResult with_row(const std::string& name) const {
        const auto patch =
            folder().write("bad.patch.yml", "- insert:\n    - id: bad\n      name: " + name + "\n");
        return cordon(
            {"run", "--patch", patch, "--plugin-path", fixture_plugins(), "--", "echo ran > ran"}
        );
    }

    /// What every such failure must say, on standard error alone (spec BOOT-17), and that nothing
    /// ran.
    void check_refused(const ProgramResult& result, const std::string& cause) const {
        CAPTURE(result.err);
        CHECK(result.status == 125);
        CHECK(
            result.err.find((folder().path() / "bad.patch.yml").string() + ":2:") !=
            std::string::npos
        );
        CHECK(result.err.find("'bad'") != std::string::npos);
        CHECK(result.err.find(cause) != std::string::npos);
        CHECK(result.out == "");
        CHECK(std::filesystem::is_empty(workspace()));
    }
};

}  // namespace

TEST_SUITE("a row that cannot start") {
    TEST_CASE_FIXTURE(BadRow, "its plugin is missing (field-155)") {
        check_refused(with_row("sandbox-loca"), "sandbox-local");
    }

    TEST_CASE_FIXTURE(BadRow, "its plugin is a text file") {
        const auto text = folder().write("text.so", "this is no library\n");
        check_refused(with_row(text), "text.so");
    }

    TEST_CASE_FIXTURE(BadRow, "its plugin was built for another ABI") {
        check_refused(with_row("wrong_abi"), "ABI");
    }

    TEST_CASE_FIXTURE(BadRow, "it throws while starting, whatever it throws (field-157)") {
        check_refused(with_row("throws_in_start"), "failed to apply loader entry bad");
        check_refused(with_row("throws_int"), "failed to apply loader entry bad");
        check_refused(with_row("throws_own_type"), "failed to apply loader entry bad");
    }

    // BOOT-16
    TEST_CASE_FIXTURE(BadRow, "what the boot fails with is said once, although it was logged too") {
        const ProgramResult result = with_row("throws_in_start");
        const std::string text = "failed to apply loader entry bad";
        CAPTURE(result.err);
        REQUIRE(result.err.find(text) != std::string::npos);
        CHECK(result.err.find(text) == result.err.rfind(text));
        const std::string cause = result.err.substr(result.err.find(text) + text.size());
        const std::string thrown = cause.substr(cause.rfind(": ") + 2);
        CHECK(result.err.find(thrown) == result.err.rfind(thrown));
    }

    TEST_CASE_FIXTURE(BadRow, "it waits for a service that nobody provides (field-137, BOOT-8)") {
        check_refused(with_row("needs_nobody"), "pending (waiting for service: ");
    }

    TEST_CASE_FIXTURE(CordonFixture, "every bad row of a file is named at once") {
        const auto patch = folder().write(
            "bad.patch.yml",
            "- insert:\n    - id: one\n      name: wrong_abi\n    - id: two\n      name: "
            "no-such-plugin\n"
        );
        const ProgramResult result =
            cordon({"run", "--patch", patch, "--plugin-path", fixture_plugins(), "--", "true"});
        CHECK(result.status == 125);
        CHECK(result.err.find("row 'one'") != std::string::npos);
        CHECK(result.err.find("row 'two'") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "with --keep-going the good rows run and the bad one is reported (field-138)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const auto patch = folder().write(
            "bad.patch.yml", "- insert:\n    - id: bad\n      name: throws_in_start\n"
        );
        const ProgramResult result = cordon(
            {"run",
             "--keep-going",
             "--patch",
             patch,
             "--plugin-path",
             fixture_plugins(),
             "--",
             "echo ran"}
        );
        CHECK(result.status == 0);
        CHECK(result.out == "ran\n");
        CHECK(result.err.find("row 'bad'") != std::string::npos);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a mistyped setting of a plugin never weakens a policy") {
        const auto patch = folder().write(
            "typo.patch.yml", "- id: sandbox-policy\n  config:\n    mod: read-only\n"
        );
        const ProgramResult result = cordon({"run", "--patch", patch, "--", "echo ran > ran"});
        CHECK(result.status == 125);
        CHECK(result.err.find("$.mod is not a known key") != std::string::npos);
        CHECK(result.err.find("'mode'") != std::string::npos);
        CHECK(std::filesystem::is_empty(workspace()));
    }
}
