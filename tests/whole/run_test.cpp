#include "cordon_fixture.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

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
        CHECK(result.out.find("\"backend\":\"native\"") != std::string::npos);
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
