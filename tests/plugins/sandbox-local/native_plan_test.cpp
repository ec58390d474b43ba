// What a call of the native and of the landlock backend is planned as, before the kernel is asked.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sandbox-local/launcher_plan.hpp>

using cordon::ConfinedSandboxMode;
using namespace cordon::sandbox_local;
using Words = std::vector<std::string>;

namespace {

HostFacts host() {
    HostFacts facts;
    facts.landlock_abi = 7;
    return facts;
}

ConfinementRequest write_request(std::string workspace) {
    ConfinementRequest request;
    request.mode = ConfinedSandboxMode::workspace_write;
    request.workspace = std::move(workspace);
    return request;
}

LauncherPlan native(const ConfinementRequest& request, const Words& programs = {}) {
    return plan_native(request, host(), Containment{}, programs);
}

}  // namespace

TEST_SUITE("plan_native") {
    TEST_CASE("read-only grants nothing, whatever the request says") {
        ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        request.writable_roots = {"/other"};
        const LauncherPlan plan = native(request);
        CHECK(plan.view);
        CHECK(plan.process_namespace);
        CHECK(plan.writable.empty());
        CHECK(plan.private_folders.empty());
        CHECK(plan.temporary.empty());
    }

    TEST_CASE("a user namespace is made only where mounting needs one") {
        const ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        HostFacts facts = host();
        CHECK(plan_native(request, facts, Containment{}, {}).user_namespace);
        facts.may_mount = true;
        CHECK_FALSE(plan_native(request, facts, Containment{}, {}).user_namespace);
    }

    TEST_CASE("containment of files has no process namespace, network none no network") {
        const ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        const LauncherPlan plan = plan_native(request, host(), Containment{false, false}, {});
        CHECK_FALSE(plan.process_namespace);
        CHECK_FALSE(plan.network);
        CHECK(plan.view);
    }

    TEST_CASE("workspace-write has a private tmp and shared memory, and TMPDIR leads there") {
        const LauncherPlan plan = native(write_request("/ws"));
        CHECK(plan.writable == Words{"/ws"});
        CHECK(plan.private_folders == Words{"/tmp", "/dev/shm"});
        CHECK(plan.temporary == "/tmp");
    }

    TEST_CASE("a workspace that is or holds tmp is not hidden by a private one (LP-27)") {
        CHECK(native(write_request("/tmp")).private_folders == Words{"/dev/shm"});
        CHECK(native(write_request("/tmp/ws")).private_folders == Words{"/tmp", "/dev/shm"});
    }

    TEST_CASE("what the host does not have is not mounted") {
        HostFacts facts = host();
        facts.has_tmp = facts.has_shared_memory = false;
        CHECK(plan_native(write_request("/ws"), facts, {}, {}).private_folders.empty());
    }

    TEST_CASE("a folder of the session stands in for tmp only where there is a private one") {
        ConfinementRequest request = write_request("/ws");
        request.temporary = "/var/tmp/s1";
        CHECK(native(request).temporary_source == "/var/tmp/s1");
        request.workspace = "/tmp";
        CHECK(native(request).temporary_source.empty());
    }

    TEST_CASE("outer places come first, and folders above a read-only path are pinned") {
        ConfinementRequest request = write_request("/ws/inner");
        request.writable_roots = {"/w"};
        request.read_only_paths = {"/ws/inner/.git/hooks", "/ws/inner/x"};
        const LauncherPlan plan = native(request);
        CHECK(plan.writable == Words{"/w", "/ws/inner", "/ws/inner/.git"});
        CHECK(plan.read_only == Words{"/ws/inner/x", "/ws/inner/.git/hooks"});
    }

    TEST_CASE("programs that a private folder would hide are kept, others are there anyway") {
        const Words programs{"/tmp/build/init", "/usr/lib/launch", "/tmp/ws/bin/launch"};
        CHECK(native(write_request("/ws"), programs).kept == Words{programs[0], programs[2]});
        CHECK(native(write_request("/tmp/ws"), programs).kept == Words{programs[0]});
    }
}

TEST_SUITE("plan_landlock_alone") {
    TEST_CASE("needs no privilege and no mount, and shares tmp with the host (LP-29, LP-33)") {
        const LauncherPlan plan = plan_landlock_alone(write_request("/ws"), host(), {});
        CHECK_FALSE(plan.view);
        CHECK_FALSE(plan.own_mounts);
        CHECK(plan.private_folders.empty());
        CHECK(plan.writable == Words{"/ws", "/tmp"});
        CHECK(plan.supervise);
    }

    TEST_CASE("read-only needs no supervisor, because every change of metadata is refused") {
        const ConfinementRequest request{ConfinedSandboxMode::read_only, "/ws"};
        const LauncherPlan plan = plan_landlock_alone(request, host(), {});
        CHECK_FALSE(plan.supervise);
        CHECK(plan.writable.empty());
    }

    TEST_CASE("where the kernel has no supervisors the plan has none") {
        HostFacts facts = host();
        facts.can_supervise = false;
        CHECK_FALSE(plan_landlock_alone(write_request("/ws"), facts, {}).supervise);
    }
}

TEST_SUITE("launcher_words and launcher_options") {
    TEST_CASE("say the same, in words and in-process") {
        ConfinementRequest request = write_request("/a b");
        request.read_only_paths = {"/a b/\n"};
        request.temporary = "/var/tmp/s";
        const LauncherPlan plan =
            plan_native(request, host(), Containment{true, false}, {"/tmp/launch"});
        const Words expected{
            "--mode",
            "workspace-write",
            "--landlock-abi",
            "7",
            "--view",
            "--user-namespace",
            "--process-namespace",
            "--no-network",
            "--private",
            "/tmp",
            "--private",
            "/dev/shm",
            "--writable",
            "/a b",
            "--read-only",
            "/a b/\n",
            "--keep",
            "/tmp/launch",
            "--temp-source",
            "/var/tmp/s",
            "--temp",
            "/tmp"};
        CHECK(launcher_words(plan) == expected);

        const cordon::launch::Options options = launcher_options(plan);
        CHECK(options.workspace_write);
        CHECK(options.view);
        CHECK(options.user_namespace);
        CHECK(options.process_namespace);
        CHECK_FALSE(options.network);
        CHECK(std::string{options.writable.paths[0]} == "/a b");
        CHECK(std::string{options.read_only.paths[0]} == "/a b/\n");
        CHECK(std::string{options.kept.paths[0]} == "/tmp/launch");
        CHECK(std::string{options.temporary_source} == "/var/tmp/s");
        CHECK(options.private_folders.count == 2);
    }

    TEST_CASE("more paths than the launcher takes are refused, not forgotten") {
        ConfinementRequest request = write_request("/ws");
        for (std::size_t i = 0; i <= cordon::launch::kMaxWritableRoots; ++i) {
            request.writable_roots.push_back("/root" + std::to_string(i));
        }
        CHECK_THROWS_WITH(
            static_cast<void>(launcher_options(native(request))),
            doctest::Contains("expected at most 32 paths")
        );
    }
}
