// Commands that really run, confined by the kernel. As root and as an ordinary user.

#include "confined_run.hpp"

#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

namespace fs = std::filesystem;
using cordon::ConfinedSandboxMode;
using cordon::SandboxEnforcement;
using cordon::UniqueFd;
using cordon::testing::Confined;
using cordon::testing::ConfinedResult;
using cordon::testing::ConfinementFixture;
using cordon::testing::read_file;
using cordon::testing::TemporaryFolder;

namespace {

constexpr auto kReadOnly = ConfinedSandboxMode::read_only;
constexpr auto kWrite = ConfinedSandboxMode::workspace_write;

/// A workspace beside something that must not change.
struct Places {
    explicit Places(const fs::path& parent = "/var/tmp") : folder(parent) {
        root = cordon::canonical_path(folder.path());
        fs::create_directory(root + "/ws");
        fs::create_directory(root + "/out");
        folder.write("out/file", "original\n");
        workspace = root + "/ws";
        outside = root + "/out";
    }

    TemporaryFolder folder;
    std::string root;
    std::string workspace;
    std::string outside;
};

struct Host : ConfinementFixture {
    /// Why nothing can be confined here at all; empty where it can.
    std::string unusable() {
        const auto result = shell(kReadOnly, "/", "true");
        return result.report.started() ? "" : "nothing can be confined here: " + result.errors;
    }
};

#define SKIP_WHERE_UNUSABLE()                        \
    if (const auto why = unusable(); !why.empty()) { \
        CORDON_SKIP_UNCONFINED(why.c_str());         \
    }

}  // namespace

TEST_SUITE("a command that is confined by sandbox-local") {
    TEST_CASE_FIXTURE(
        Host,
        "read-only: nothing is written, the tree is readable, sinks work (LP-34, LP-35, field-39)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const auto result = shell(
            kReadOnly,
            places.workspace,
            "echo x >/dev/null && cat /dev/null && head -c1 /dev/zero >/dev/null && cat "
            "../out/file;"
            "sleep 0 & wait; echo x >new; echo x >../out/new; touch /tmp/cordon-new"
        );
        CHECK(result.output == "original\n");
        CHECK(result.status.exit_code != 0);
        CHECK(result.errors.find("Read-only file system") != std::string::npos);
        CHECK(fs::is_empty(places.workspace));
        CHECK_FALSE(fs::exists(places.outside + "/new"));
        CHECK_FALSE(fs::exists("/tmp/cordon-new"));
    }

    TEST_CASE_FIXTURE(
        Host, "workspace-write: the workspace can be written and nothing beside it (LP-38)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const auto result = shell(
            kWrite,
            places.workspace,
            fmt::format("echo hi >f && cat f; echo x >{}/new", places.outside)
        );
        CHECK(result.output == "hi\n");
        CHECK(read_file(places.workspace + "/f") == "hi\n");
        CHECK(result.status.exit_code != 0);
        CHECK_FALSE(fs::exists(places.outside + "/new"));
        CHECK(result.errors.find("Read-only file system") != std::string::npos);
    }

    TEST_CASE_FIXTURE(Host, "metadata outside cannot be changed in either mode (W-4, field-12)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const std::string file = places.outside + "/file";
        const auto before = fs::status(file).permissions();
        const auto time = fs::last_write_time(file);
        for (const auto mode : {kReadOnly, kWrite}) {
            const auto result = shell(
                mode,
                places.workspace,
                fmt::format("chmod 777 {0}; touch -d 2001-01-01 {0}; chown $(id -u) {0}", file)
            );
            CHECK(result.status.exit_code != 0);
            CHECK(fs::status(file).permissions() == before);
            CHECK(fs::last_write_time(file) == time);
        }
    }

    TEST_CASE_FIXTURE(
        Host, "tmp is private and gone after the call, TMPDIR leads to it (LP-33, W-35)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const TemporaryFolder neighbour{"/tmp"};
        const Places places;
        Confined call;
        call.mode = kWrite;
        call.workspace = call.cwd = places.workspace;
        call.env = {{"TMPDIR", "/nonexistent"}};
        call.argv = {
            "sh",
            "-c",
            "f=$(mktemp) && echo $f && echo x >/tmp/cordon-private; ls -d $0",
            neighbour.path()};
        const auto result = run(std::move(call));
        CHECK(result.output.find("/tmp/tmp.") == 0);
        CHECK(result.output.find(neighbour.path()) == std::string::npos);
        CHECK_FALSE(fs::exists("/tmp/cordon-private"));
    }

    TEST_CASE_FIXTURE(Host, "a TMPDIR that can be written stays") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        Confined call;
        call.mode = kWrite;
        call.workspace = call.cwd = places.workspace;
        call.env = {{"TMPDIR", places.workspace}};
        call.argv = {"sh", "-c", "echo $TMPDIR"};
        CHECK(run(std::move(call)).output == places.workspace + "\n");
    }

    TEST_CASE_FIXTURE(Host, "the exit of the command comes through") {
        SKIP_WHERE_UNUSABLE();
        const auto exit = [&](const char* script) {
            return shell(kReadOnly, "/", script).status.exit_code;
        };
        CHECK(exit("exit 7") == 7);
        CHECK(exit("kill -9 $$") == 137);
        CHECK(exit("true") == 0);
    }

    TEST_CASE_FIXTURE(
        Host,
        "the report tells a failing command from one that was never started (W-16, W-19, field-34, "
        "field-35)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const auto imitation = shell(kReadOnly, "/", "echo 'bwrap: fake' >&2; exit 1");
        CHECK(imitation.report.started());
        CHECK(imitation.status.exit_code == 1);

        Confined missing;
        missing.argv = {"no-such-command"};
        const auto result = run(std::move(missing));
        CHECK(result.report.confined);
        CHECK(result.report.failed_step == "exec");
        CHECK(result.report.error == ENOENT);
        if (is_in_process(result)) {
            CHECK(result.status.exit_code == 127);
            CHECK(result.errors.empty());
            return;
        }
        CHECK(result.status.exit_code == 125);
        CHECK(
            result.errors ==
            "cordon-launch: exec 'no-such-command': No such file or directory (ENOENT)\n"
        );
    }

    TEST_CASE_FIXTURE(
        Host, "a working directory that the view hides is an error, not another directory (W-24)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const Places hidden{"/tmp"};
        Confined call;
        call.mode = kWrite;
        call.workspace = places.workspace;
        call.cwd = hidden.outside;
        call.argv = {"sh", "-c", "pwd; rm -rf file"};
        if (runs_in_process() && chain_of_run() != "bwrap") {
            CHECK_THROWS_WITH_AS(
                run(std::move(call)),
                ("working directory does not exist: " + hidden.outside).c_str(),
                cordon::SpawnError
            );
            CHECK(fs::exists(hidden.outside + "/file"));
            return;
        }
        const auto result = run(std::move(call));
        CHECK(result.report.failed_step == "chdir");
        CHECK(result.report.error == ENOENT);
        CHECK(result.output.empty());
        CHECK(fs::exists(hidden.outside + "/file"));
    }

    TEST_CASE_FIXTURE(Host, "starts in the working directory of the call (field-60)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        fs::create_directory(places.workspace + "/src");
        Confined call;
        call.mode = kWrite;
        call.workspace = places.workspace;
        call.cwd = places.workspace + "/src";
        call.argv = {"sh", "-c", "/bin/pwd; echo $PWD"};
        const std::string line = places.workspace + "/src\n";
        CHECK(run(std::move(call)).output == line + line);
    }

    TEST_CASE_FIXTURE(
        Host, "a workspace below tmp is visible and its neighbours are not (LP-27, field-56)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places places{"/tmp"};
        const TemporaryFolder neighbour{"/tmp"};
        const auto result = shell(
            kWrite, places.workspace, "echo x >f && ls ..; ls -d " + neighbour.path().string()
        );
        CHECK(result.output == "ws\n");
        CHECK(read_file(places.workspace + "/f") == "x\n");
    }

    TEST_CASE_FIXTURE(
        Host, "a workspace is reached through a link, and the file lands where it leads (field-53)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        fs::create_directory_symlink("ws", places.root + "/link");
        const auto result = shell(kWrite, places.root + "/link", "echo hi >f; echo $PWD");
        CHECK(result.status.exit_code == 0);
        CHECK(read_file(places.workspace + "/f") == "hi\n");
        CHECK(result.output == places.root + "/link\n");
    }

    TEST_CASE_FIXTURE(Host, "links in the workspace lead nowhere writable (field-10)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const auto result = shell(
            kWrite,
            places.workspace,
            fmt::format(
                "ln -s {0} l; echo x >l/new; ln -s {0}/dangling d; echo x >d; ln {0}/file h",
                places.outside
            )
        );
        CHECK(result.status.exit_code != 0);
        CHECK_FALSE(fs::exists(places.outside + "/new"));
        CHECK_FALSE(fs::exists(places.outside + "/dangling"));
        CHECK_FALSE(fs::exists(places.workspace + "/h"));
    }

    TEST_CASE_FIXTURE(Host, "workspaces with odd names work (field-57)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        for (const char* name :
             {"a b", "q\"x", "n\nl", "c:d", "-ws", "*", "\xe6\x97\xa5", "\xff"}) {
            const std::string workspace = places.workspace + "/" + name;
            fs::create_directory(workspace);
            const auto result = shell(kWrite, workspace, "echo hi >f && cat f");
            CHECK(result.output == "hi\n");
            CHECK(read_file(workspace + "/f") == "hi\n");
        }
    }

    TEST_CASE_FIXTURE(Host, "ordinary work in the workspace works (field-45, field-46, field-63)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const auto result = shell(
            kWrite,
            places.workspace,
            "set -e; mkdir a b; echo 1 >a/x; perl -e 'rename(\"a/x\", \"b/y\") or die $!'; mv a c; "
            "rmdir c;"
            "truncate -s0 b/y; chmod 700 b/y; touch -d 2001-01-01 b/y; ln b/y z; rm z; mkfifo p;"
            "echo 2 >t && mv t b/y; sed -i s/2/3/ b/y; cat b/y"
        );
        CHECK(result.errors.empty());
        CHECK(result.output == "3\n");
    }

    TEST_CASE_FIXTURE(Host, "terminals can be opened in both modes (W-33, field-49)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        for (const auto mode : {kReadOnly, kWrite}) {
            const auto result =
                shell(mode, places.workspace, "script -qec 'test -t 1 && echo tty' /dev/null");
            CHECK(result.output.find("tty") != std::string::npos);
        }
    }

    TEST_CASE_FIXTURE(
        Host, "loader variables of the call reach the command and not the runner (field-16)"
    ) {
        SKIP_WHERE_UNUSABLE();
        Confined call;
        call.env = {{"LD_PRELOAD", "/nonexistent/cordon.so"}, {"LD_LIBRARY_PATH", "/nonexistent"}};
        call.argv = {
            "sh", "-c", "echo $LD_PRELOAD $LD_LIBRARY_PATH; env | grep -c CORDON_COMMAND >&2"};
        const auto result = run(std::move(call));
        CHECK(result.output == "/nonexistent/cordon.so /nonexistent\n");
        // One complaint by the loader for each of sh, env and grep; bwrap would add one of its own.
        std::size_t complaints = 0;
        for (auto at = result.errors.find("ld.so"); at != std::string::npos;
             at = result.errors.find("ld.so", at + 1)) {
            ++complaints;
        }
        CHECK(complaints == 3);
        CHECK(result.errors.find("\n0\n") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        Host, "standard input from a file is read, and cannot be opened again for writing"
    ) {
        SKIP_WHERE_UNUSABLE();
        const Places visible;
        const Places hidden{"/tmp"};
        for (const Places* places : {&visible, &hidden}) {
            const UniqueFd file{::open((places->outside + "/file").c_str(), O_RDONLY | O_CLOEXEC)};
            Confined call;
            call.mode = kWrite;
            call.workspace = call.cwd = visible.workspace;
            call.stdin_mode = cordon::InheritDescriptor{file.get()};
            call.argv = {"sh", "-c", "cat; echo PWN >/proc/self/fd/0; chmod 777 /dev/stdin"};
            const auto result = run(std::move(call));
            CHECK(result.output == "original\n");
            CHECK(read_file(places->outside + "/file") == "original\n");
            CHECK(
                (fs::status(places->outside + "/file").permissions() & fs::perms::others_write) ==
                fs::perms::none
            );
        }
    }

    TEST_CASE_FIXTURE(
        Host,
        "processes outside are not visible, the kernel's settings are not writable (W-2, W-8b, "
        "field-2, field-4)"
    ) {
        SKIP_WHERE_UNUSABLE();
        const auto result = shell(
            kReadOnly,
            "/",
            fmt::format(
                "ls /proc/{0}/root; kill -0 {0}; ls -d /proc/[0-9]* | wc -l;"
                "for f in kernel/core_pattern kernel/sysrq vm/swappiness; do : >>/proc/sys/$f; "
                "done",
                ::getpid()
            )
        );
        CHECK(std::stoi(result.output) < 8);
        CHECK(result.status.exit_code != 0);
        // bubblewrap's /proc shows an ordinary user the owner of settings as somebody else.
        const bool is_read_only = ::geteuid() == 0 || result.confined.backend == "native";
        const char* const denial = is_read_only ? "Read-only file system" : "Permission denied";
        CHECK(result.errors.find(denial) != std::string::npos);
        CHECK(result.errors.find("No such process") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        Host, "root keeps the capabilities of files only, and mounts nothing (W-1, field-1)"
    ) {
        if (::geteuid() != 0) {
            CORDON_SKIP("only root has capabilities to lose");
        }
        SKIP_WHERE_UNUSABLE();
        const Places places;
        const auto result = shell(
            kReadOnly,
            places.workspace,
            fmt::format(
                "grep CapEff /proc/self/status; mount -o remount,rw /; mount -o remount,bind,rw /;"
                "echo x >{}/new",
                places.outside
            )
        );
        CHECK(result.output.find("00000000000000fb") != std::string::npos);
        CHECK_FALSE(fs::exists(places.outside + "/new"));
    }

    TEST_CASE_FIXTURE(Host, "the end of the call is the end of what it started (field-76)") {
        SKIP_WHERE_UNUSABLE();
        const Places places;
        shell(
            kWrite, places.workspace, "setsid sh -c 'sleep 1; echo late >late' >/dev/null 2>&1 &"
        );
        const auto result = shell(kWrite, places.workspace, "sleep 1.5; cat late");
        CHECK(result.output.empty());
    }

    TEST_CASE_FIXTURE(Host, "says who confined it and how completely (SB-6, SB-7)") {
        SKIP_WHERE_UNUSABLE();
        const auto confined = shell(kReadOnly, "/", "true").confined;
        const bool is_bwrap = chain_of_run() == "bwrap";
        CHECK(confined.backend == (is_bwrap ? "bwrap" : "native"));
        CHECK(fs::path{confined.argv.front()}.is_absolute());
        CHECK((confined.enforcement == SandboxEnforcement::full) == confined.reasons.empty());
        CHECK(confined.denial_signatures == std::vector<std::string>{"read-only file system"});
        REQUIRE(confined.runner_failure_rules.size() == (is_bwrap ? 2 : 1));
        if (is_bwrap) {
            CHECK(confined.runner_failure_rules[0].fatal_signatures.front() == "bwrap: ");
        }
        CHECK(confined.runner_failure_rules.back().allowed_exit_codes == std::vector<int>{125});
    }
}
