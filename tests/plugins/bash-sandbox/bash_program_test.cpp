#include <cordon/base/error.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include <bash-sandbox/bash_program.hpp>
#include <support/temporary_folder.hpp>

using cordon::bash_sandbox::choose_bash;

TEST_SUITE("choose_bash") {
    TEST_CASE("takes no program from the workspace, nor one that a link there names (W-15)") {
        const cordon::testing::TemporaryFolder folder;
        const auto workspace = folder.path() / "workspace";
        const auto planted = folder.write("workspace/bin/bash", "#!/bin/sh\n");
        const auto link = workspace / "link";
        std::filesystem::create_symlink("/bin/bash", link);
        const auto outside = folder.path() / "outside";
        std::filesystem::create_symlink(planted, outside);
        CHECK(choose_bash({planted, link, outside, "/bin/bash"}, workspace) == "/bin/bash");
    }

    TEST_CASE("sees through a workspace that is spelled by a link") {
        const cordon::testing::TemporaryFolder folder;
        const auto planted = folder.write("workspace/bash", "#!/bin/sh\n");
        const auto link = folder.path() / "link";
        std::filesystem::create_directory_symlink(folder.path() / "workspace", link);
        CHECK(choose_bash({planted, "/bin/bash"}, link) == "/bin/bash");
    }

    TEST_CASE("a folder with a longer name of the same beginning is not the workspace") {
        CHECK(choose_bash({"/work2/bash"}, "/work") == "/work2/bash");
    }

    TEST_CASE("says so where every bash lies in the workspace") {
        const cordon::testing::TemporaryFolder folder;
        const auto planted = folder.write("bash", "#!/bin/sh\n");
        std::string code;
        try {
            static_cast<void>(choose_bash({planted}, folder.path()));
        } catch (const cordon::Error& error) {
            code = error.code();
        }
        CHECK(code == "SHELL_UNAVAILABLE");
    }

    TEST_CASE("a workspace of the whole system rules nothing out") {
        CHECK(choose_bash({"/bin/bash"}, "/") == "/bin/bash");
    }
}

TEST_SUITE("find_bash") {
    TEST_CASE("gives absolute paths") {
        const auto found = cordon::bash_sandbox::find_bash();
        REQUIRE_FALSE(found.empty());
        CHECK(found.front().is_absolute());
        CHECK(found.front().filename() == "bash");
    }
}
