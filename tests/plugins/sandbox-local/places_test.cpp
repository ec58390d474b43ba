// Every path of a call as the file system knows it: roots, read-only paths, linked worktrees.

#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <sandbox-local/config.hpp>
#include <sandbox-local/git_worktree.hpp>
#include <sandbox-local/places.hpp>
#include <sandbox-local/session_folders.hpp>
#include <support/temporary_folder.hpp>

namespace fs = std::filesystem;
using cordon::ConfinedSandboxMode;
using cordon::SandboxPolicy;
using namespace cordon::sandbox_local;
using cordon::testing::TemporaryFolder;
using Paths = std::vector<std::string>;

namespace {

struct Tree {
    Tree() : root(cordon::canonical_path(folder.path())) {
        for (const char* name : {"ws", "ws/sub", "other", "repo/worktrees/w", "repo/hooks"}) {
            fs::create_directories(root + '/' + name);
        }
    }

    [[nodiscard]] ResolvedPlaces resolve(const Places& places) const {
        const SandboxPolicy policy{
            ConfinedSandboxMode::workspace_write, root + "/ws", std::nullopt};
        return resolve_places(policy, places);
    }

    /// Makes `ws` a linked worktree of `repo`, as git does it.
    void link_worktree() const {
        folder.write("ws/.git", "gitdir: " + root + "/repo/worktrees/w\n");
        folder.write("repo/worktrees/w/gitdir", root + "/ws/.git\n");
        folder.write("repo/worktrees/w/commondir", "../..\n");
        folder.write("repo/HEAD", "ref: refs/heads/main\n");
        folder.write("repo/config", "");
    }

    TemporaryFolder folder;
    std::string root;
};

/// The message of the error; empty where there is none.
std::string refusal(const Config& config) {
    try {
        check(config);
    } catch (const cordon::Error& error) {
        return error.message();
    }
    return {};
}

}  // namespace

TEST_SUITE("resolve_places") {
    TEST_CASE_FIXTURE(Tree, "roots are canonical, and one that another holds is left out") {
        fs::create_symlink(root + "/other", root + "/link");
        const auto resolved = resolve({{root + "/link", root + "/ws/sub", root + "/other"}, {}});
        CHECK(resolved.request.writable_roots == Paths{root + "/other"});
    }

    TEST_CASE_FIXTURE(
        Tree, "a root that cannot be written under is an error, not a narrower call"
    ) {
        CHECK_THROWS_WITH(
            static_cast<void>(resolve({{root + "/missing"}, {}})),
            doctest::Contains("workspace does not exist")
        );
        CHECK_THROWS(static_cast<void>(resolve({{"/proc"}, {}})));
    }

    TEST_CASE_FIXTURE(Tree, "read-only paths are relative to the workspace or absolute") {
        const auto resolved =
            resolve({{root + "/other"}, {"sub", root + "/other", root + "/repo"}});
        CHECK(resolved.request.read_only_paths == Paths{root + "/ws/sub"});
        CHECK(resolved.shortcomings.empty());
    }

    TEST_CASE_FIXTURE(Tree, "a read-only path that does not exist is reported, not dropped") {
        const auto resolved = resolve({{}, {"missing"}});
        CHECK(resolved.request.read_only_paths.empty());
        REQUIRE(resolved.shortcomings.size() == 1);
        CHECK(resolved.shortcomings[0].find("read-only-missing: '" + root + "/ws/missing'") == 0);
    }

    TEST_CASE_FIXTURE(Tree, "read-only mode has no roots") {
        const SandboxPolicy policy{ConfinedSandboxMode::read_only, root + "/ws", std::nullopt};
        const auto resolved = resolve_places(policy, {{root + "/other"}, {"sub"}});
        CHECK(resolved.request.writable_roots.empty());
        CHECK(resolved.request.read_only_paths.empty());
    }
}

TEST_SUITE("a linked worktree") {
    TEST_CASE_FIXTURE(Tree, "may write to its repository, but not to what git executes there") {
        link_worktree();
        Places places;
        places.git_worktrees = true;
        const auto resolved = resolve(places);
        CHECK(resolved.request.writable_roots == Paths{root + "/repo"});
        CHECK(
            resolved.request.read_only_paths == Paths{root + "/repo/hooks", root + "/repo/config"}
        );
        CHECK(resolve({}).request.writable_roots.empty());
    }

    TEST_CASE_FIXTURE(Tree, "that the repository does not know is not believed") {
        link_worktree();
        folder.write("repo/worktrees/w/gitdir", root + "/elsewhere/.git\n");
        CHECK_FALSE(find_linked_worktree(root + "/ws"));
    }

    TEST_CASE_FIXTURE(Tree, "whose folder is not where git puts it is not believed") {
        link_worktree();
        fs::rename(root + "/repo/worktrees", root + "/repo/other");
        folder.write("ws/.git", "gitdir: " + root + "/repo/other/w\n");
        CHECK_FALSE(find_linked_worktree(root + "/ws"));
    }

    TEST_CASE_FIXTURE(Tree, "that a command has planted inside of the workspace grants nothing") {
        link_worktree();
        fs::create_directories(root + "/ws/fake/worktrees/w");
        folder.write("ws/fake/worktrees/w/gitdir", root + "/ws/.git\n");
        folder.write("ws/fake/HEAD", "");
        folder.write("ws/.git", "gitdir: fake/worktrees/w\n");
        CHECK_FALSE(find_linked_worktree(root + "/ws"));
    }

    TEST_CASE_FIXTURE(Tree, "that is no worktree at all has no repository") {
        CHECK_FALSE(find_linked_worktree(root + "/ws"));
        fs::create_directory(root + "/ws/.git");
        CHECK_FALSE(find_linked_worktree(root + "/ws"));
    }
}

TEST_SUITE("SessionFolders") {
    TEST_CASE("one folder a session, private to us, gone with the provider") {
        std::string first;
        {
            SessionFolders folders;
            first = folders.folder_of("../../a");
            CHECK(folders.folder_of("../../a") == first);
            CHECK(folders.folder_of("b") != first);
            CHECK(fs::is_directory(first));
            const auto permissions = fs::status(fs::path{first}.parent_path()).permissions();
            CHECK(
                (permissions & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none
            );
        }
        CHECK_FALSE(fs::exists(first));
        CHECK_FALSE(fs::exists(fs::path{first}.parent_path()));
    }
}

TEST_SUITE("the config of sandbox-local") {
    TEST_CASE("the runner of an operator, word by word and in this order (LP-2)") {
        Config config;
        CHECK(refusal(config).empty());
        config.runner_failure_signatures = {" "};
        config.probe_timeout = std::chrono::milliseconds{0};
        CHECK(refusal(config) == "sandbox-local: runnerFailureSignatures requires runnerCommand");
        config.runner_command = {"run"};
        CHECK(
            refusal(config) ==
            "sandbox-local: runnerFailureSignatures entries must be non-empty single-line strings"
        );
        config.runner_failure_signatures = {"a\nb"};
        CHECK(
            refusal(config) ==
            "sandbox-local: runnerFailureSignatures entries must be non-empty single-line strings"
        );
        config.runner_failure_signatures = {"run: "};
        CHECK(refusal(config) == "sandbox-local: probeTimeoutMs must be a positive finite number");
        config.probe_timeout = std::chrono::milliseconds{1};
        CHECK(refusal(config).empty());
        config.runner_failure_signatures.clear();
        CHECK(
            refusal(config) ==
            "sandbox-local: runnerCommand requires at least one runnerFailureSignatures entry"
        );
    }

    TEST_CASE("a chain names known backends, each once, and choices are named") {
        Config config;
        config.chain = {"bwrap", "landlock"};
        CHECK(refusal(config).empty());
        config.chain = {"bwrap", "bwrap"};
        CHECK(
            refusal(config) ==
            "sandbox-local: chain must name each backend once; found twice: bwrap"
        );
        config.chain = {"docker"};
        CHECK(
            refusal(config) ==
            "sandbox-local: chain must be one of native, bwrap, landlock; found 'docker'"
        );
        config.chain = {};
        CHECK_FALSE(refusal(config).empty());
        config.chain = {"native"};
        config.network = "lan";
        CHECK(refusal(config) == "sandbox-local: network must be one of host, none; found 'lan'");
    }
}
