#include <cordon/process/subprocess.hpp>

#include <doctest/doctest.h>

#include <cerrno>

using cordon::SpawnError;

TEST_SUITE("SpawnError") {
    TEST_CASE("a working directory is named as what is wrong (field-59, W-S7)") {
        CHECK(
            SpawnError("chdir", "/nowhere", ENOENT).message() ==
            "working directory does not exist: /nowhere"
        );
        CHECK(
            SpawnError("chdir", "/etc/passwd", ENOTDIR).message() ==
            "working directory is not a directory: /etc/passwd"
        );
        CHECK(
            SpawnError("chdir", "/root", EACCES).message() ==
            "working directory cannot be entered: /root: Permission denied (EACCES)"
        );
    }

    TEST_CASE("says which step failed and what to do about limits (field-100)") {
        CHECK(
            SpawnError("exec", "tool", ENOENT).message() ==
            "cannot start 'tool': exec: No such file or directory (ENOENT)"
        );
        CHECK(
            SpawnError("exec", "bash", E2BIG).message() ==
            "cannot start 'bash': exec: Argument list too long (E2BIG); one argument may hold 128 "
            "KiB, pass longer input by file or standard input"
        );
    }

    TEST_CASE("carries code, step, subject and errno") {
        const SpawnError error{"exec", "tool", EACCES};
        CHECK(error.code() == "SPAWN_FAILED");
        CHECK(error.step() == "exec");
        CHECK(error.subject() == "tool");
        CHECK(error.error() == EACCES);
    }
}
