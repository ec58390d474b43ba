#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <sys/stat.h>

using cordon::testing::CordonFixture;
using cordon::testing::ProgramOptions;
using cordon::testing::ProgramResult;

namespace {

/// A layer that leaves bubblewrap as the only backend.
std::string bwrap_only(const CordonFixture& fixture) {
    return fixture.folder().write(
        "bwrap.patch.yml", "- id: sandbox\n  config:\n    chain: [bwrap]\n"
    );
}

}  // namespace

TEST_SUITE("cordon run, no backend") {
    TEST_CASE_FIXTURE(
        CordonFixture, "without bubblewrap nothing runs, and the seed's text says so (SB-16)"
    ) {
        const std::string shell_folder = folder().path() / "bin";
        std::filesystem::create_directory(shell_folder);
        std::filesystem::create_symlink("/bin/bash", shell_folder + "/bash");
        ProgramOptions options;
        options.cwd = workspace();
        options.env["PATH"] = shell_folder;
        const ProgramResult result =
            cordon({"run", "--patch", bwrap_only(*this), "--", "echo ran > f"}, options);
        CHECK(result.status == 125);
        CHECK(
            result.err.find(
                "sandbox mode \"workspace-write\" is requested but no sandbox backend is usable on "
                "this host; "
                "refusing to run the command unconfined. Install bubblewrap or run a "
                "Landlock-enforcing kernel "
                "(Linux), ensure sandbox-exec is usable (macOS), or ensure the ACL "
                "restricted-token runner can "
                "start (Windows) \xE2\x80\x94 otherwise switch the consumer to danger-full-access."
            ) != std::string::npos
        );
        CHECK(result.out == "");
        CHECK(std::filesystem::is_empty(workspace()));
        CHECK(cordon({"doctor", "--patch", bwrap_only(*this)}, options).status == 1);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a bubblewrap that only answers --version is no backend (field-19, field-24)"
    ) {
        const auto stub = folder().write(
            "bin/bwrap",
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'bubblewrap 0.8.0' && exit 0\nexit 1\n"
        );
        std::filesystem::permissions(stub, std::filesystem::perms::owner_all);
        ProgramOptions options;
        options.cwd = workspace();
        options.env["PATH"] = stub.parent_path().string() + ":/nowhere";
        std::filesystem::create_symlink("/bin/bash", stub.parent_path() / "bash");
        const ProgramResult result =
            cordon({"run", "--json", "--patch", bwrap_only(*this), "--", "echo ran > f"}, options);
        CHECK(result.status == 125);
        CHECK(result.out.find("\"code\":\"SANDBOX_UNAVAILABLE\"") != std::string::npos);
        CHECK(std::filesystem::is_empty(workspace()));
    }
}

TEST_SUITE("cordon run, odd surroundings") {
    TEST_CASE_FIXTURE(CordonFixture, "closed standard streams are not taken for other files") {
        CORDON_REQUIRE_CONFINEMENT();
        const std::string program = cordon::testing::cordon_program();
        ProgramOptions options;
        options.cwd = workspace();
        const ProgramResult without_input = cordon::testing::run_program(
            {"sh", "-c", program + " run --stdin - -- 'wc -c' <&-"}, options
        );
        CHECK(without_input.out == "0\n");
        const ProgramResult without_errors =
            cordon::testing::run_program({"sh", "-c", program + " run --nonsense 2>&-"}, options);
        CHECK(without_errors.status == 125);
    }

    TEST_CASE_FIXTURE(CordonFixture, "output that cannot be written is said to be lost") {
        const std::string program = cordon::testing::cordon_program();
        const ProgramResult result =
            cordon::testing::run_program({"sh", "-c", program + " compose > /dev/full"});
        CHECK(result.status == 1);
        CHECK(result.err.find("No space left on device (ENOSPC)") != std::string::npos);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a FIFO is no composition") {
        const std::string fifo = folder().path() / "fifo";
        REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
        const ProgramResult result = cordon({"compose", "--patch", fifo});
        CHECK(result.status == 1);
        CHECK(result.err.find("found a FIFO") != std::string::npos);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a backend that enforces only in part is told so") {
        CORDON_REQUIRE_CONFINEMENT();
        const auto swap = folder().write(
            "swap.patch.yml",
            "- id: sandbox\n  disabled: true\n- insert: [{id: other, name: sandbox-none}]\n"
        );
        const ProgramResult result =
            run("true", {"--patch", swap, "--plugin-path", cordon::testing::fixture_plugins()});
        CHECK(result.status == 0);
        CHECK(result.err.find("this backend confines nothing") != std::string::npos);
    }
}
