#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <sandbox-local/program_lookup.hpp>
#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

using cordon::sandbox_local::examine_program;
using cordon::sandbox_local::find_program;
using cordon::testing::TemporaryFolder;

namespace {

/// A folder with an executable `bwrap` in it.
std::string plant(const TemporaryFolder& folder, const std::string& name, mode_t mode = 0755) {
    const auto file = folder.write(name + "/bwrap", "#!/bin/sh\necho planted\n");
    ::chmod(file.c_str(), mode);
    return cordon::canonical_path(file.parent_path());
}

}  // namespace

TEST_SUITE("find_program") {
    TEST_CASE("finds the first of several folders, by its canonical path") {
        const TemporaryFolder folder;
        const auto first = plant(folder, "first");
        const auto second = plant(folder, "second");
        std::filesystem::create_directory_symlink(first, folder.path() / "link");

        const auto search =
            find_program("bwrap", (folder.path() / "link").string() + ":" + second + ":" + first);
        REQUIRE(search.trusted.size() == 2);
        CHECK(search.trusted[0].path == first + "/bwrap");
        CHECK(search.trusted[1].path == second + "/bwrap");
        CHECK(search.refused.empty());
    }

    TEST_CASE(
        "skips relative and empty folders, which mean another place in every directory (field-15)"
    ) {
        const TemporaryFolder folder;
        const auto bin = plant(folder, "bin");
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(folder.path());
        const auto search = find_program("bwrap", "bin:::./bin:");
        std::filesystem::current_path(before);
        CHECK(search.trusted.empty());
        CHECK(search.refused.empty());
    }

    TEST_CASE("refuses what others can write, and says what (W-15)") {
        const TemporaryFolder folder;
        const auto bin = plant(folder, "bin", 0777);
        const auto search = find_program("bwrap", bin);
        CHECK(search.trusted.empty());
        REQUIRE(search.refused.size() == 1);
        CHECK(
            search.refused[0].reason ==
            "'" + bin + "/bwrap' can be written by its group or by everybody"
        );
    }

    TEST_CASE("refuses a program in a folder that others can write (W-15)") {
        const TemporaryFolder folder;
        const auto bin = plant(folder, "open/bin");
        ::chmod((folder.path() / "open").c_str(), 0777);
        const auto search = find_program("bwrap", bin);
        CHECK(search.trusted.empty());
        REQUIRE(search.refused.size() == 1);
        CHECK(search.refused[0].reason.find("/open' can be written") != std::string::npos);
    }

    TEST_CASE("refuses a program of somebody else") {
        if (::geteuid() != 0) {
            CORDON_SKIP("only root can give a file away");
        }
        const TemporaryFolder folder;
        const auto bin = plant(folder, "bin");
        REQUIRE(::chown((bin + "/bwrap").c_str(), 1, 1) == 0);
        const auto search = find_program("bwrap", bin);
        CHECK(search.trusted.empty());
        REQUIRE(search.refused.size() == 1);
        CHECK(search.refused[0].reason == "'" + bin + "/bwrap' belongs to uid 1");
    }

    TEST_CASE("refuses a set-uid program (field-36)") {
        const TemporaryFolder folder;
        const auto bin = plant(folder, "bin", 04755);
        const auto search = find_program("bwrap", bin);
        REQUIRE(search.refused.size() == 1);
        CHECK(search.refused[0].reason.find("is set-uid") != std::string::npos);
    }

    TEST_CASE("refuses what cannot be executed") {
        const TemporaryFolder folder;
        const auto bin = plant(folder, "bin", 0644);
        std::filesystem::create_directories(folder.path() / "other/bwrap");
        const auto search = find_program("bwrap", bin + ":" + (folder.path() / "other").string());
        CHECK(search.trusted.empty());
        CHECK(search.refused.size() == 2);
    }

    TEST_CASE("a program of our own is one that we could replace") {
        const TemporaryFolder folder;
        const auto search = find_program("bwrap", plant(folder, "bin"));
        REQUIRE(search.trusted.size() == 1);
        CHECK(search.trusted[0].replaceable);
    }

    TEST_CASE("the system's programs are not replaceable for an ordinary user") {
        const auto search = find_program("sh", "/usr/bin");
        REQUIRE(search.trusted.size() == 1);
        CHECK(search.trusted[0].replaceable == (::geteuid() == 0));
    }
}

TEST_SUITE("examine_program") {
    TEST_CASE("says that a program that was named does not exist") {
        const auto search = examine_program("/nonexistent/bwrap");
        REQUIRE(search.refused.size() == 1);
        CHECK(search.refused[0].reason == "'/nonexistent/bwrap' does not exist");
    }
}
