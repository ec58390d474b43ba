#include "cordon_fixture.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

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

const std::string kWorkspaceDenial = "[sandbox: file access denied under workspace-write mode]\n";
const std::string kReadOnlyDenial = "[sandbox: file access denied under read-only mode]\n";

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether a process of this host has exactly these two words as its command line.
bool is_running(const std::string& program, const std::string& argument) {
    const std::string wanted = program + '\0' + argument + '\0';
    for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
        if (read_file(entry.path() / "cmdline") == wanted) {
            return true;
        }
    }
    return false;
}

/// `run`, for an attempt whose effect is looked at from outside: it must have run at all.
struct Attempts : CordonFixture {
    void tried(const std::string& source, std::vector<std::string> options = {}) const {
        CHECK(run(source, std::move(options)).status != 125);
    }
};

}  // namespace

TEST_SUITE("cordon run") {
    TEST_CASE_FIXTURE(CordonFixture, "a command writes in its workspace") {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run("echo hi > f; cat f");
        CHECK(result.status == 0);
        CHECK(result.out == "hi\n");
        CHECK(result.err == "");
        CHECK(read_file(workspace() / "f") == "hi\n");
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a write outside is refused, leaves nothing, and is said so last"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run("echo x > " + (outside() / "file").string());
        CHECK(result.status != 0);
        CHECK(ends_with(result.err, kWorkspaceDenial));
        CHECK(result.err.size() > kWorkspaceDenial.size());
        CHECK(std::filesystem::is_empty(outside()));
    }

    TEST_CASE_FIXTURE(CordonFixture, "read-only refuses the workspace itself") {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run("echo x > f", {"--mode", "read-only"});
        CHECK(result.status != 0);
        CHECK(ends_with(result.err, kReadOnlyDenial));
        CHECK(std::filesystem::is_empty(workspace()));
    }

    TEST_CASE_FIXTURE(CordonFixture, "danger-full-access confines nothing") {
        const std::string file = outside() / "file";
        const ProgramResult result = run("echo x > " + file, {"--mode", "danger-full-access"});
        CHECK(result.status == 0);
        CHECK(read_file(file) == "x\n");
    }

    TEST_CASE_FIXTURE(CordonFixture, "the exit status is the command's (field-99)") {
        CORDON_REQUIRE_CONFINEMENT();
        CHECK(run("exit 7").status == 7);
        CHECK(run("exit 125").status == 125);
        CHECK(run("nosuchcommand-here").status == 127);
        CHECK(run("true").status == 0);
    }

    TEST_CASE_FIXTURE(CordonFixture, "a death by signal n is 128 + n (field-97)") {
        CORDON_REQUIRE_CONFINEMENT();
        CHECK(run("kill -9 $$").status == 137);
        CHECK(run("kill -TERM $$").status == 143);
        CHECK(run("kill -9 $$", {"--mode", "danger-full-access"}).status == 137);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a timeout of ours is 124, a command's own 124 is its own (field-98)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        CHECK(run("read never < <(exec tail -f /dev/null)", {"--timeout", "300ms"}).status == 124);
        const ProgramResult own = run("exit 124", {"--json"});
        CHECK(own.status == 124);
        CHECK(own.out.find("\"timedOut\":false") != std::string::npos);
    }

    TEST_CASE_FIXTURE(CordonFixture, "several words are an argv in which every word stays one") {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = cordon(
            {"run",
             "--workspace",
             workspace(),
             "--",
             "printf",
             "%s|",
             "a b",
             "",
             "*",
             "$HOME",
             "it's"}
        );
        CHECK(result.status == 0);
        CHECK(result.out == "a b||*|$HOME|it's|");
    }

    TEST_CASE_FIXTURE(CordonFixture, "output passes through byte for byte, on its own stream") {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run(R"(printf 'a\0\377b'; printf 'e\n' >&2)");
        CHECK(result.out == std::string{"a\0\377b", 4});
        CHECK(result.err == "e\n");
    }

    TEST_CASE_FIXTURE(CordonFixture, "a large output is neither cut nor changed") {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run("seq 1 200000");
        CHECK(result.out.size() == 1288895);
        CHECK(ends_with(result.out, "199999\n200000\n"));
    }

    TEST_CASE_FIXTURE(CordonFixture, "without --stdin there is nothing to read (field-84)") {
        CORDON_REQUIRE_CONFINEMENT();
        ProgramOptions options;
        options.cwd = workspace();
        options.input = "ours";
        CHECK(cordon({"run", "--", "cat"}, options).out == "");
        CHECK(cordon({"run", "--stdin", "-", "--", "cat"}, options).out == "ours");
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "--env reaches the command and --cwd is relative to the workspace"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        std::filesystem::create_directory(workspace() / "sub");
        const ProgramResult result = run("echo $A; pwd", {"--env", "A=1 2", "--cwd", "sub"});
        CHECK(result.out == "1 2\n" + (workspace() / "sub").string() + "\n");
    }

    TEST_CASE_FIXTURE(
        CordonFixture,
        "a missing working directory is named, not taken for a lack of backends (field-59)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result = run("true", {"--cwd", "gone"});
        CHECK(result.status == 125);
        CHECK(result.err.find("working directory does not exist") != std::string::npos);
        CHECK(result.err.find((workspace() / "gone").string()) != std::string::npos);
        CHECK(result.err.find("bubblewrap") == std::string::npos);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a missing workspace and the workspace / are refused by name"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const std::string missing = folder().path() / "missing";
        const ProgramResult gone =
            cordon({"run", "--workspace", missing, "--cwd", "/", "--", "true"});
        CHECK(gone.status == 125);
        CHECK(gone.err.find(missing) != std::string::npos);
        const ProgramResult root = cordon({"run", "--workspace", "/", "--", "true"});
        CHECK(root.status == 125);
        CHECK(root.err.find("workspace") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "a command that imitates its runner is an ordinary failure (field-35, W-16)"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result =
            run("echo 'bwrap: setting up uid map: Permission denied' >&2; touch ran; exit 1");
        CHECK(result.status == 1);
        CHECK(result.err.find("no sandbox backend is usable") == std::string::npos);
        CHECK(std::filesystem::exists(workspace() / "ran"));
    }

    TEST_CASE_FIXTURE(
        CordonFixture, "--json is one document with the result and the facts of confinement"
    ) {
        CORDON_REQUIRE_CONFINEMENT();
        const ProgramResult result =
            run("echo out; echo x > " + (outside() / "f").string(), {"--json"});
        CHECK(result.out.find("\"text\":\"out\\n\"") != std::string::npos);
        CHECK(result.out.find("\"denied\":true") != std::string::npos);
        CHECK(result.out.find("\"mode\":\"workspace-write\"") != std::string::npos);
        CHECK(result.out.find("\"backend\":\"bwrap\"") != std::string::npos);
        CHECK(result.out.find('\n') == result.out.size() - 1);
        CHECK(result.err == "");
    }

    TEST_CASE_FIXTURE(CordonFixture, "nothing a command starts outlives it (field-76)") {
        CORDON_REQUIRE_CONFINEMENT();
        // A number of seconds that no other process sleeps, to find it by.
        const std::string seconds = fmt::format("1000.{}", ::getpid());
        const ProgramResult result =
            run("mkfifo p; setsid sh -c 'echo up > p; sleep " + seconds +
                "' & read up < p; echo $up");
        CHECK(result.status == 0);
        CHECK(result.out == "up\n");
        CHECK_FALSE(is_running("sleep", seconds));
    }
}

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
        tried("chmod 666 /proc/self/fd/0; chown 0:0 /proc/self/fd/0; touch /proc/self/fd/0");
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
        const ProgramResult result = cordon({"run", "--", "echo ran > f"}, options);
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
        CHECK(cordon({"doctor"}, options).status == 1);
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
        const ProgramResult result = cordon({"run", "--json", "--", "echo ran > f"}, options);
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
