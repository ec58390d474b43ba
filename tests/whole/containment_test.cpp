#include "cordon_fixture.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using cordon::testing::CordonFixture;
using cordon::testing::ProgramOptions;
using cordon::testing::ProgramResult;
using cordon::testing::read_file;

namespace {

/// `run`, for an attempt whose effect is looked at from outside: it must have run at all.
struct Attempts : CordonFixture {
    void tried(const std::string& source, std::vector<std::string> options = {}) const {
        CHECK(run(source, std::move(options)).status != 125);
    }
};

}  // namespace

TEST_SUITE("cordon run, what is contained") {
    TEST_CASE_FIXTURE(
        Attempts,
        "remounting, the host's root by /proc and kernel settings (field-1, field-2, W-1, W-2)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const std::string file = outside() / "pwn";
        const std::string pattern = read_file("/proc/sys/kernel/core_pattern");
        for (const char* mode : {"read-only", "workspace-write"}) {
            CAPTURE(mode);
            tried(
                "mount -o remount,rw / ; mount -o remount,bind,rw / ; echo x > " + file,
                {"--mode", mode}
            );
            tried(
                "echo x > /proc/" + std::to_string(::getpid()) + "/root" + file, {"--mode", mode}
            );
            tried("echo '|/bin/false' > /proc/sys/kernel/core_pattern", {"--mode", mode});
            CHECK_FALSE(std::filesystem::exists(file));
            CHECK(read_file("/proc/sys/kernel/core_pattern") == pattern);
        }
    }

    TEST_CASE_FIXTURE(Attempts, "links that lead out of the workspace (field-8, field-10)") {
        CORDON_REQUIRE_CONFINEMENT();
        const auto secret = folder().write("outside/secret", "kept");
        tried("ln " + secret.string() + " h; echo CLOBBER > h");
        tried("ln -s " + outside().string() + " l; echo x > l/n");
        tried("ln -s " + (outside() / "new").string() + " d; echo x > d");
        CHECK(read_file(secret) == "kept");
        CHECK_FALSE(std::filesystem::exists(outside() / "n"));
        CHECK_FALSE(std::filesystem::exists(outside() / "new"));
    }

    TEST_CASE_FIXTURE(Attempts, "the device behind standard input keeps its owner and mode") {
        CORDON_REQUIRE_CONFINEMENT();

        struct stat before {};

        struct stat after {};

        REQUIRE(::stat("/dev/null", &before) == 0);
        // Whoever may write to the device may also say that he did so now; root's view is sealed.
        const std::string touch = ::geteuid() == 0 ? "; touch /proc/self/fd/0" : "";
        tried("chmod 666 /proc/self/fd/0; chown 0:0 /proc/self/fd/0" + touch);
        REQUIRE(::stat("/dev/null", &after) == 0);
        CHECK(before.st_ctim.tv_sec == after.st_ctim.tv_sec);
        CHECK(before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a FIFO on standard input can be read and keeps its mode") {
        CORDON_REQUIRE_CONFINEMENT();
        const std::string fifo = folder().path() / "fifo";
        REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
        const std::string words = "(echo given > " + fifo + " &) ; exec " +
                                  cordon::testing::cordon_program().string() + " run --stdin " +
                                  fifo + " -- 'cat; chmod 777 /proc/self/fd/0'";
        ProgramOptions options;
        options.cwd = workspace();
        const ProgramResult result = cordon::testing::run_program({"sh", "-c", words}, options);
        CHECK(result.out == "given\n");

        struct stat status {};

        REQUIRE(::stat(fifo.c_str(), &status) == 0);
        CHECK((status.st_mode & 0777U) == 0600U);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a workspace with a file system of the kernel in it is refused"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        if (::geteuid() != 0) {
            CORDON_SKIP("only root can mount one there");
        }
        const std::string mount = workspace() / "proc";
        std::filesystem::create_directory(mount);
        const std::string words = "mount -t proc proc " + mount + " && exec " +
                                  cordon::testing::cordon_program().string() + " run -- true";
        ProgramOptions options;
        options.cwd = workspace();
        const ProgramResult result =
            cordon::testing::run_program({"unshare", "-m", "sh", "-c", words}, options);
        CHECK(result.status == 125);
        CHECK(result.err.find(mount) != std::string::npos);
    }

    TEST_CASE_FIXTURE(Attempts, "a runner planted on PATH is never executed (field-15, W-15)") {
        CORDON_REQUIRE_CONFINEMENT();
        const auto planted = folder().write("workspace/bin/bwrap", "#!/bin/sh\necho planted\n");
        std::filesystem::permissions(planted, std::filesystem::perms::all);
        ProgramOptions options;
        options.cwd = workspace();
        options.env["PATH"] = (workspace() / "bin").string() + ":/usr/bin:/bin";
        const ProgramResult result = cordon({"run", "--", "echo real"}, options);
        CHECK(result.out == "real\n");
    }

    TEST_CASE_FIXTURE(
        CordonFixture,
        "credentials and start-up files of the host do not reach the command (field-16, field-17)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const auto evil = folder().write("evil.sh", "echo INJECTED\n");
        ProgramOptions options;
        options.cwd = workspace();
        options.env["FOO_API_KEY"] = "s3cret";
        options.env["BASH_ENV"] = evil.string();
        const ProgramResult result = cordon({"run", "--", "env; echo PATH is $PATH"}, options);
        CHECK(result.out.find("s3cret") == std::string::npos);
        CHECK(result.out.find("INJECTED") == std::string::npos);
        CHECK(result.out.find("PATH is /") != std::string::npos);
    }
}
