#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>

#include <sandbox-local/workspace.hpp>
#include <support/temporary_folder.hpp>

using cordon::ConfinedSandboxMode;
using cordon::SandboxPolicy;
using cordon::sandbox_local::resolve_workspace;
using cordon::sandbox_local::workspace_warning;
using cordon::testing::TemporaryFolder;

namespace {

std::string resolve(const std::string& root) {
    return resolve_workspace({ConfinedSandboxMode::workspace_write, root, std::nullopt});
}

/// The message with which a workspace is refused; empty where it is not.
std::string refusal(const std::string& root) {
    try {
        resolve(root);
    } catch (const cordon::Error& error) {
        CHECK(error.code() == "INVALID_POLICY");
        return error.message();
    }
    return {};
}

}  // namespace

TEST_SUITE("resolve_workspace") {
    TEST_CASE("follows links, component by component (LP-4, field-53)") {
        const TemporaryFolder folder;
        const auto real = cordon::canonical_path(folder.path());
        std::filesystem::create_directories(folder.path() / "a/b");
        std::filesystem::create_directory_symlink("a/b", folder.path() / "link");
        CHECK(resolve(folder.path() / "link") == real + "/a/b");
        CHECK(resolve(folder.path() / "link/..") == real + "/a");
    }

    TEST_CASE("a missing workspace is named as it was spelled (W-18, field-50)") {
        CHECK(
            refusal("/nonexistent/ws") == "sandbox-local: workspace does not exist: /nonexistent/ws"
        );
    }

    TEST_CASE("a file is no workspace (W-13)") {
        const TemporaryFolder folder;
        const auto file = folder.write("file", "x");
        CHECK(refusal(file) == "sandbox-local: workspace is not a directory: " + file.string());
    }

    TEST_CASE("the root directory is refused, under any name (W-12, field-54)") {
        const TemporaryFolder folder;
        std::filesystem::create_directory_symlink("/", folder.path() / "root");
        CHECK(
            refusal("/").find("workspace-write needs a workspace that leaves") != std::string::npos
        );
        CHECK(
            refusal(folder.path() / "root").find(": " + folder.path().string()) != std::string::npos
        );
    }

    TEST_CASE("file systems of the kernel are refused (W-14)") {
        for (const char* root : {"/proc", "/proc/self", "/sys", "/dev", "/dev/pts"}) {
            CAPTURE(root);
            CHECK(refusal(root).find("in a file system of the kernel") != std::string::npos);
        }
        CHECK(refusal("/dev/shm").empty());
    }

    TEST_CASE("a relative path is refused (W-18)") {
        CHECK(refusal("ws") == "sandbox-local: workspace must be an absolute path: ws");
        CHECK(refusal("") == "sandbox-local: workspace must be an absolute path: ");
    }

    TEST_CASE("read-only does not use the workspace and refuses none (W-18)") {
        for (const char* root : {"/", "/nonexistent", "relative", ""}) {
            CHECK(
                resolve_workspace({ConfinedSandboxMode::read_only, root, std::nullopt}) ==
                cordon::canonical_path(root)
            );
        }
    }
}

TEST_SUITE("workspace_warning") {
    TEST_CASE("names a workspace that holds the home directory (field-55)") {
        const TemporaryFolder folder;
        const auto real = cordon::canonical_path(folder.path());
        std::filesystem::create_directories(folder.path() / "home/me");
        CHECK(workspace_warning(real, real + "/home/me").find(real) != std::string::npos);
        CHECK_FALSE(workspace_warning(real + "/home/me", real + "/home/me").empty());
        CHECK(workspace_warning(real + "/home/me/project", real + "/home/me").empty());
        CHECK(workspace_warning(real, "").empty());
    }
}
