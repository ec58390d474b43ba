#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <sandbox-local/bwrap_plan.hpp>

using cordon::ConfinedSandboxMode;
using cordon::sandbox_local::BwrapPlan;
using cordon::sandbox_local::BwrapPrograms;
using cordon::sandbox_local::ConfinementRequest;
using cordon::sandbox_local::HostFacts;
using cordon::sandbox_local::plan_bwrap;
using Words = std::vector<std::string>;

namespace {

const BwrapPrograms kPrograms{"/usr/bin/bwrap", "/usr/lib/cordon/bin/cordon-launch"};

HostFacts facts_of(bool is_root) {
    return HostFacts{is_root, 7, true};
}

Words plan(
    ConfinedSandboxMode mode, const std::string& workspace, const HostFacts& facts = facts_of(false)
) {
    return plan_bwrap(ConfinementRequest{mode, workspace}, facts, kPrograms, {"true"}).argv;
}

Words writable(const std::string& workspace, const HostFacts& facts = facts_of(false)) {
    return plan(ConfinedSandboxMode::workspace_write, workspace, facts);
}

/// Where `part` begins in `words`; the end where it is not in there.
std::ptrdiff_t find(const Words& words, const Words& part) {
    const auto at = std::search(words.begin(), words.end(), part.begin(), part.end());
    return std::distance(words.begin(), at);
}

bool has(const Words& words, const Words& part) {
    return find(words, part) != std::ptrdiff_t(words.size());
}

}  // namespace

TEST_SUITE("plan_bwrap") {
    TEST_CASE("read-only for an ordinary user, word by word") {
        const Words expected{
            "/usr/bin/bwrap",
            "--unshare-user",
            "--disable-userns",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--unshare-pid",
            "--proc",
            "/proc",
            "--remount-ro",
            "/proc",
            "--die-with-parent",
            "--",
            "/usr/lib/cordon/bin/cordon-launch",
            "--mode",
            "read-only",
            "--landlock-abi",
            "7",
            "--",
            "true"};
        CHECK(plan(ConfinedSandboxMode::read_only, "/ws") == expected);
    }

    TEST_CASE("read-only grants nothing, whatever the workspace is") {
        for (const char* workspace : {"/ws", "/tmp", "/", "/nonexistent", "relative"}) {
            const Words argv = plan(ConfinedSandboxMode::read_only, workspace);
            CHECK_FALSE(has(argv, {"--bind"}));
            CHECK_FALSE(has(argv, {"--tmpfs"}));
            CHECK_FALSE(has(argv, {"--writable"}));
        }
    }

    TEST_CASE(
        "root keeps file capabilities and what seals the mounts, and no user namespace (field-1)"
    ) {
        const Words argv = plan(ConfinedSandboxMode::read_only, "/ws", facts_of(true));
        CHECK_FALSE(has(argv, {"--unshare-user"}));
        CHECK(argv[1] == "--cap-drop");
        CHECK(argv[2] == "ALL");
        CHECK(std::count(argv.begin(), argv.end(), "--cap-add") == 9);
        CHECK_FALSE(has(argv, {"--cap-add", "CAP_DAC_READ_SEARCH"}));
        CHECK(has(argv, {"--own-mounts"}));
    }

    TEST_CASE(
        "the private tmp comes before the workspace, so one below it stays visible (LP-27, "
        "field-38)"
    ) {
        const Words argv = writable("/tmp/ws");
        const auto tmp = find(argv, {"--perms", "1777", "--tmpfs", "/tmp"});
        const auto workspace = find(argv, {"--bind", "/tmp/ws", "/tmp/ws"});
        CHECK(find(argv, {"--ro-bind", "/", "/"}) < tmp);
        CHECK(tmp < workspace);
        CHECK(workspace < find(argv, {"--"}));
        CHECK(has(argv, {"--writable", "/tmp/ws", "--writable", "/tmp", "--writable", "/dev/shm"}));
    }

    TEST_CASE("a workspace that is tmp is not hidden by a private one") {
        const Words argv = writable("/tmp");
        CHECK_FALSE(has(argv, {"--tmpfs"}));
        CHECK(has(argv, {"--bind", "/tmp", "/tmp"}));
        CHECK(has(argv, {"--temp", "/tmp"}));
    }

    TEST_CASE("without tmp on the host there is none inside either") {
        HostFacts facts = facts_of(false);
        facts.has_tmp = false;
        const Words argv = writable("/ws", facts);
        CHECK_FALSE(has(argv, {"/tmp"}));
        CHECK(has(argv, {"--temp", "/dev/shm"}));
    }

    TEST_CASE("a launcher that the private tmp would hide is shown again, read-only") {
        const BwrapPrograms programs{"/usr/bin/bwrap", "/tmp/build/cordon-launch"};
        const ConfinementRequest request{ConfinedSandboxMode::workspace_write, "/ws"};
        const Words argv = plan_bwrap(request, facts_of(false), programs, {"true"}).argv;
        const Words shown{"--ro-bind", "/tmp/build/cordon-launch", "/tmp/build/cordon-launch"};
        CHECK(find(argv, {"--tmpfs", "/tmp"}) < find(argv, shown));
        CHECK(has(argv, shown));
    }

    TEST_CASE("names with odd characters stay one word each (field-57)") {
        for (const char* name : {"/a b", "/q\"x", "/n\nl", "/c:d", "/-ws", "/*", "/\xff"}) {
            CHECK(has(writable(name), {"--bind", name, name}));
        }
    }

    TEST_CASE("the command is passed on as it is, after the last separator (SB-10)") {
        const Words command{"bash", "-c", "a 'b' \"$c\"", "--", "", "--bind"};
        const ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        const Words argv = plan_bwrap(request, facts_of(false), kPrograms, command).argv;
        REQUIRE(argv.size() > command.size());
        CHECK(Words(argv.end() - std::ptrdiff_t(command.size()), argv.end()) == command);
        CHECK(argv[argv.size() - command.size() - 1] == "--");
    }

    TEST_CASE("the probe has the flags of a real call (field-24)") {
        const ConfinementRequest request{ConfinedSandboxMode::workspace_write, "/ws"};
        Words call = plan_bwrap(request, facts_of(true), kPrograms, {"true"}).argv;
        Words probe = plan_bwrap(request, facts_of(true), kPrograms, {}).argv;
        CHECK(probe.back() == "--check");
        probe.pop_back();
        call.resize(probe.size());
        CHECK(probe == call);
    }

    TEST_CASE("options of the launcher may be inserted right after its name") {
        const ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        const BwrapPlan plan = plan_bwrap(request, facts_of(false), kPrograms, {"true"});
        CHECK(plan.argv[plan.launcher_options - 1] == kPrograms.launcher);
    }

    TEST_CASE("the number of words does not grow with the workspace (field-37)") {
        CHECK(writable("/ws").size() < 64);
    }
}
