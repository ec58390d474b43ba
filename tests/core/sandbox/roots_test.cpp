#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <stdlib.h>

#include <support/temporary_folder.hpp>

using cordon::canonical_path;
using cordon::is_within;
using cordon::SandboxExecutionPolicy;
using cordon::SandboxMode;
using cordon::testing::TemporaryFolder;

namespace {

/// Sets variables for one test and puts the old values back.
class Environment {
public:
    Environment(const char* tmpdir, const char* tmp, const char* temp) {
        const char* values[] = {tmpdir, tmp, temp};
        for (std::size_t i = 0; i < 3; ++i) {
            if (const char* old = ::getenv(kNames[i])) {
                old_[i] = old;
            }
            set(kNames[i], values[i]);
        }
    }

    ~Environment() {
        for (std::size_t i = 0; i < 3; ++i) {
            set(kNames[i], old_[i] ? old_[i]->c_str() : nullptr);
        }
    }

    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    static constexpr const char* kNames[] = {"TMPDIR", "TMP", "TEMP"};

    static void set(const char* name, const char* value) {
        value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    }

    std::optional<std::string> old_[3];
};

std::vector<std::string> roots_of(SandboxMode mode, const std::string& workspace) {
    return cordon::writable_roots(SandboxExecutionPolicy{mode, workspace, std::nullopt});
}

}  // namespace

TEST_SUITE("canonical_path") {
    TEST_CASE("resolves symbolic links (SB-47)") {
        const TemporaryFolder folder;
        const auto real = canonical_path(folder.path());
        std::filesystem::create_directory(folder.path() / "target");
        std::filesystem::create_directory_symlink("target", folder.path() / "link");

        CHECK(canonical_path(folder.path() / "link") == real + "/target");
    }

    TEST_CASE("a parent after a link is the parent of the link's target (SB-47, PO-7)") {
        const TemporaryFolder folder;
        const auto real = canonical_path(folder.path());
        std::filesystem::create_directories(folder.path() / "a/b");
        std::filesystem::create_directory_symlink("a/b", folder.path() / "link");

        CHECK(canonical_path(folder.path() / "link/..") == real + "/a");
    }

    TEST_CASE("a path that cannot be resolved stays as it is spelled (SB-47)") {
        CHECK(canonical_path("/nonexistent/../x") == "/nonexistent/../x");
        CHECK(canonical_path("").empty());
    }
}

TEST_SUITE("writable_roots") {
    TEST_CASE("only workspace-write has any (SB-48)") {
        CHECK(roots_of(SandboxMode::read_only, "/ws").empty());
        CHECK(roots_of(SandboxMode::danger_full_access, "/ws").empty());
    }

    TEST_CASE("the workspace, tmp and the temporary directory, canonical, each once (SB-49)") {
        const TemporaryFolder folder;
        const auto real = canonical_path(folder.path());
        std::filesystem::create_directory(folder.path() / "ws");
        std::filesystem::create_directory(folder.path() / "temp");
        std::filesystem::create_directory_symlink("ws", folder.path() / "link");
        const Environment environment{(real + "/temp/").c_str(), nullptr, nullptr};

        const std::vector<std::string> expected{
            real + "/ws", canonical_path("/tmp"), real + "/temp"};
        CHECK(roots_of(SandboxMode::workspace_write, folder.path() / "link") == expected);
    }

    TEST_CASE("TMPDIR goes before TMP, TMP before TEMP, and an empty one is unset (SB-50)") {
        const auto last = [] {
            return roots_of(SandboxMode::workspace_write, "/ws").back();
        };
        {
            const Environment environment{"", "/nonexistent/tmp", "/nonexistent/temp"};
            CHECK(last() == "/nonexistent/tmp");
        }
        {
            const Environment environment{nullptr, nullptr, "/nonexistent/temp"};
            CHECK(last() == "/nonexistent/temp");
        }
        {
            const Environment environment{"/nonexistent/tmpdir", "/nonexistent/tmp", nullptr};
            CHECK(last() == "/nonexistent/tmpdir");
        }
    }

    TEST_CASE("a workspace that is the temporary directory is named once") {
        const Environment environment{nullptr, nullptr, nullptr};
        const auto roots = roots_of(SandboxMode::workspace_write, "/tmp");
        CHECK(roots == std::vector<std::string>{canonical_path("/tmp")});
    }
}

TEST_SUITE("is_within") {
    TEST_CASE("compares whole names") {
        CHECK(is_within("/a/b", "/a"));
        CHECK(is_within("/a", "/a"));
        CHECK(is_within("/a", "/"));
        CHECK(is_within("/", "/"));
        CHECK_FALSE(is_within("/ab", "/a"));
        CHECK_FALSE(is_within("/", "/a"));
        CHECK_FALSE(is_within("/a", "/a/b"));
    }
}
