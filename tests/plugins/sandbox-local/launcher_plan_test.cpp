// What cordon-launch decides before it asks the kernel for anything.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <linux/capability.h>
#include <sched.h>

#include <sandbox-local/enforcement.hpp>
#include <sandbox-local/launcher/capabilities.hpp>
#include <sandbox-local/launcher/confine.hpp>
#include <sandbox-local/launcher/environment.hpp>
#include <sandbox-local/launcher/kernel.hpp>
#include <sandbox-local/launcher/landlock.hpp>
#include <sandbox-local/launcher/options.hpp>

using namespace cordon::launch;

namespace {

/// The outcome of parsing `words`, which live as long as the object.
struct Parsed {
    explicit Parsed(std::vector<std::string> words) : words_(std::move(words)) {
        words_.insert(words_.begin(), "cordon-launch");
        for (std::string& word : words_) {
            arguments_.push_back(word.data());
        }
        arguments_.push_back(nullptr);
        outcome = parse_options(static_cast<int>(words_.size()), arguments_.data(), options);
    }

    Options options;
    Outcome outcome;

private:
    std::vector<std::string> words_;
    std::vector<char*> arguments_;
};

std::string wrong_argument(std::vector<std::string> words) {
    const Parsed parsed{std::move(words)};
    return parsed.outcome.failed() ? parsed.outcome.subject : "";
}

LandlockPlan plan_for(int abi) {
    Options options;
    options.workspace_write = true;
    options.landlock_abi = abi;
    REQUIRE(options.writable.add("/ws"));
    return plan_landlock(options);
}

std::uint64_t rights(const LandlockPlan& plan, std::string_view path) {
    for (std::size_t i = 0; i < plan.rule_count; ++i) {
        if (plan.rules[i].path == path) {
            return plan.rules[i].access;
        }
    }
    return 0;
}

std::vector<std::string> restored(std::vector<std::string> entries) {
    std::vector<char*> environment;
    for (std::string& entry : entries) {
        environment.push_back(entry.data());
    }
    environment.push_back(nullptr);
    restore_command_variables(environment.data());
    std::vector<std::string> result;
    for (char** entry = environment.data(); *entry != nullptr; ++entry) {
        result.emplace_back(*entry);
    }
    return result;
}

}  // namespace

TEST_SUITE("cordon-launch options") {
    TEST_CASE("everything that a runner passes") {
        const Parsed parsed{
            {"--mode",
             "workspace-write",
             "--landlock-abi",
             "7",
             "--writable",
             "/ws",
             "--own-mounts",
             "--temp",
             "/tmp",
             "--chdir",
             "/ws/a",
             "--status-fd",
             "5",
             "--",
             "sh",
             "--check"}};
        REQUIRE_FALSE(parsed.outcome.failed());
        CHECK(parsed.options.workspace_write);
        CHECK(parsed.options.landlock_abi == 7);
        CHECK(parsed.options.writable.count == 1);
        CHECK(parsed.options.own_mounts);
        CHECK(std::string{parsed.options.temporary} == "/tmp");
        CHECK(std::string{parsed.options.workdir} == "/ws/a");
        CHECK(parsed.options.status_fd == 5);
        CHECK_FALSE(parsed.options.check);
        CHECK(std::string{parsed.options.command[1]} == "--check");
    }

    TEST_CASE("what is wrong is named, and nothing is defaulted that would weaken") {
        CHECK(wrong_argument({"--mode", "bogus", "--landlock-abi", "7", "--", "sh"}) == "--mode");
        CHECK(
            wrong_argument({"--landlock-abi", "7", "--", "sh"}).find("--mode") != std::string::npos
        );
        CHECK_FALSE(wrong_argument({"--mode", "read-only", "--", "sh"}).empty());
        CHECK(wrong_argument({"--mode", "read-only", "--landlock-abi", "x"}) == "--landlock-abi");
        CHECK(wrong_argument({"--mode", "read-only", "--landlock-abi", "-1"}) == "--landlock-abi");
        CHECK(wrong_argument({"--status-fd", "2"}) == "--status-fd");
        CHECK(wrong_argument({"--writable", "ws"}) == "--writable");
        CHECK(wrong_argument({"--unknown"}) == "--unknown");
        CHECK(wrong_argument({"--mode"}) == "--mode");
        CHECK_FALSE(wrong_argument({"--mode", "read-only", "--landlock-abi", "7", "--"}).empty());
        CHECK_FALSE(wrong_argument({"--mode", "read-only", "--landlock-abi", "7"}).empty());
    }
}

TEST_SUITE("cordon-launch options of a view") {
    TEST_CASE("paths of every kind, and what the view is made with") {
        const Parsed parsed{
            {"--mode",
             "workspace-write",
             "--landlock-abi",
             "7",
             "--view",
             "--user-namespace",
             "--process-namespace",
             "--no-network",
             "--private",
             "/tmp",
             "--writable",
             "/ws",
             "--read-only",
             "/ws/.git/hooks",
             "--keep",
             "/tmp/launch",
             "--temp-source",
             "/var/tmp/x",
             "--check"}};
        REQUIRE_FALSE(parsed.outcome.failed());
        CHECK(parsed.options.view);
        CHECK(parsed.options.user_namespace);
        CHECK(parsed.options.process_namespace);
        CHECK_FALSE(parsed.options.network);
        CHECK(parsed.options.private_folders.count == 1);
        CHECK(std::string{parsed.options.read_only.paths[0]} == "/ws/.git/hooks");
        CHECK(std::string{parsed.options.kept.paths[0]} == "/tmp/launch");
        CHECK(std::string{parsed.options.temporary_source} == "/var/tmp/x");
    }

    TEST_CASE("what would be dropped without a view is refused instead") {
        const std::vector<std::string> without{"--mode", "workspace-write", "--landlock-abi", "7"};
        for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
                 {"--read-only", "/ws/a"},
                 {"--keep", "/a"},
                 {"--temp-source", "/a"},
                 {"--user-namespace"},
                 {"--process-namespace"},
                 {"--view", "--own-mounts"},
                 {"--view", "--supervise"}}) {
            std::vector<std::string> words = without;
            words.insert(words.end(), more.begin(), more.end());
            words.emplace_back("--check");
            CHECK(wrong_argument(words).find("expected") == 0);
        }
    }

    TEST_CASE("more paths than there is room for are refused, not forgotten") {
        std::vector<std::string> words{
            "--mode", "workspace-write", "--landlock-abi", "7", "--view"};
        for (std::size_t i = 0; i <= kMaxOtherPaths; ++i) {
            words.insert(words.end(), {"--private", "/tmp"});
        }
        words.emplace_back("--check");
        CHECK(wrong_argument(words) == "--private");
    }
}

TEST_SUITE("namespaces_of") {
    TEST_CASE("a view has its own mounts and IPC, the rest as asked for") {
        Options options;
        CHECK(namespaces_of(options) == 0);
        options.view = true;
        CHECK(namespaces_of(options) == (CLONE_NEWNS | CLONE_NEWIPC));
        options.user_namespace = options.process_namespace = true;
        options.network = false;
        CHECK(
            namespaces_of(options) ==
            (CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
        );
    }
}

TEST_SUITE("plan_landlock") {
    TEST_CASE(
        "governs what the ABI knows and asks for nothing that it does not (field-47, field-51)"
    ) {
        CHECK(plan_for(1).handled == 0x1fff);
        CHECK(plan_for(2).handled == 0x3fff);
        CHECK(plan_for(3).handled == 0x7fff);
        CHECK(plan_for(4).handled == 0x7fff);
        CHECK(plan_for(5).handled == 0xffff);
        CHECK(plan_for(5).scoped == 0);
        CHECK(plan_for(6).scoped == 3);
        CHECK(plan_for(7).handled == 0xffff);
        for (int abi = 1; abi <= 7; ++abi) {
            const LandlockPlan plan = plan_for(abi);
            for (std::size_t i = 0; i < plan.rule_count; ++i) {
                CHECK((plan.rules[i].access & ~plan.handled) == 0);
            }
        }
    }

    TEST_CASE("a newer ABI works as the newest one known, no ABI makes no rules") {
        CHECK(plan_for(12).handled == plan_for(7).handled);
        CHECK(plan_for(0).rule_count == 0);
        CHECK(plan_for(0).handled == 0);
    }

    TEST_CASE("a writable root has every right but making and commanding devices") {
        const std::uint64_t devices =
            kernel::kMakeCharacterDevice | kernel::kMakeBlockDevice | kernel::kIoctlDevice;
        CHECK(rights(plan_for(7), "/ws") == (0xffff & ~devices));
    }

    TEST_CASE(
        "the tree is readable and executable, sinks are writable, terminals can be commanded "
        "(field-39, field-49)"
    ) {
        const LandlockPlan plan = plan_for(7);
        CHECK(rights(plan, "/") == (kernel::kExecute | kernel::kReadFile | kernel::kReadDirectory));
        CHECK((rights(plan, "/dev/null") & kernel::kWriteFile) != 0);
        CHECK((rights(plan, "/dev/null") & kernel::kIoctlDevice) == 0);
        CHECK((rights(plan, "/dev/pts") & kernel::kIoctlDevice) != 0);
    }

    TEST_CASE("without network TCP is governed from ABI 4 on, and nothing grants it") {
        Options options;
        options.network = false;
        options.landlock_abi = 4;
        CHECK(plan_landlock(options).handled_network == (kernel::kBindTcp | kernel::kConnectTcp));
        options.landlock_abi = 3;
        CHECK(plan_landlock(options).handled_network == 0);
        options.landlock_abi = 7;
        options.network = true;
        CHECK(plan_landlock(options).handled_network == 0);
    }

    TEST_CASE("rights of directories are not asked for on files (field-40)") {
        CHECK(rights_of_file(0xffff) == (1 | 2 | 4 | kernel::kTruncate | kernel::kIoctlDevice));
    }
}

TEST_SUITE("plan_capabilities") {
    TEST_CASE("an ordinary user has none, root has those of files and none that walks around paths"
    ) {
        CHECK(plan_capabilities(1000) == 0);
        const std::uint64_t root = plan_capabilities(0);
        CHECK((root & (std::uint64_t{1} << CAP_CHOWN)) != 0);
        for (const int forbidden :
             {CAP_DAC_READ_SEARCH,
              CAP_SYS_ADMIN,
              CAP_SETPCAP,
              CAP_MKNOD,
              CAP_SYS_PTRACE,
              CAP_SYS_CHROOT,
              CAP_NET_ADMIN,
              CAP_SETFCAP,
              CAP_SYS_MODULE,
              CAP_SYS_RAWIO}) {
            CHECK((root & (std::uint64_t{1} << forbidden)) == 0);
        }
    }
}

TEST_SUITE("restore_command_variables") {
    TEST_CASE("gives loader variables their names back (field-16)") {
        using List = std::vector<std::string>;
        CHECK(
            restored({"A=1", "CORDON_COMMAND_LD_PRELOAD=/x", "B=2"}) ==
            List{"A=1", "B=2", "LD_PRELOAD=/x"}
        );
        CHECK(
            restored({"LD_PRELOAD=/old", "CORDON_COMMAND_LD_PRELOAD=/x"}) == List{"LD_PRELOAD=/x"}
        );
        CHECK(restored({"CORDON_COMMAND_A=1", "CORDON_COMMAND_B=", "C"}) == List{"C", "A=1", "B="});
    }

    TEST_CASE("leaves everything else alone") {
        const std::vector<std::string> entries{"CORDON_COMMAND_=x", "CORDON_HOME=y", "NOVALUE"};
        CHECK(restored(entries) == entries);
        CHECK(restored({}).empty());
    }
}

TEST_SUITE("the launcher's variables") {
    TEST_CASE("TMPDIR stays where it can be written, and is replaced or added where it cannot") {
        std::string bad = "TMPDIR=/nonexistent";
        std::string other = "A=1";
        std::string mine = "TMPDIR=/mine";
        std::vector<char*> environment{other.data(), bad.data(), nullptr, nullptr};
        ensure_temporary_directory(environment.data(), mine.data());
        CHECK(std::string{environment[0]} == "A=1");
        CHECK(std::string{environment[1]} == "TMPDIR=/mine");
        CHECK(environment[2] == nullptr);

        std::string pwd = "PWD=/x";
        environment = {other.data(), nullptr, nullptr};
        set_variable(environment.data(), "PWD", pwd.data());
        CHECK(std::string{environment[1]} == "PWD=/x");
        CHECK(environment[2] == nullptr);
    }
}

TEST_SUITE("open_effects_of") {
    using cordon::ConfinedSandboxMode;
    using cordon::sandbox_local::HostFacts;
    using cordon::sandbox_local::LauncherPlan;
    using cordon::sandbox_local::open_effects_of;

    TEST_CASE("a view of our own leaves nothing open, whatever Landlock there is") {
        LauncherPlan plan;
        plan.view = true;
        plan.mode = ConfinedSandboxMode::workspace_write;
        for (int abi = 0; abi <= 7; ++abi) {
            CHECK(open_effects_of(plan, HostFacts{true, abi, true}).empty());
        }
    }

    TEST_CASE("Landlock alone: devices for root before ABI 5, metadata without a supervisor") {
        LauncherPlan plan;
        CHECK(open_effects_of(plan, HostFacts{false, 1, true}).empty());
        CHECK(open_effects_of(plan, HostFacts{true, 5, true}).empty());
        const auto devices = open_effects_of(plan, HostFacts{true, 4, true});
        REQUIRE(devices.size() == 1);
        CHECK(devices[0].find("landlock-devices: ") == 0);

        plan.mode = ConfinedSandboxMode::workspace_write;
        plan.supervise = true;
        CHECK(open_effects_of(plan, HostFacts{false, 7, true}).empty());
        plan.supervise = false;
        const auto metadata = open_effects_of(plan, HostFacts{false, 7, true});
        REQUIRE(metadata.size() == 1);
        CHECK(metadata[0].find("metadata-open: ") == 0);
    }
}

TEST_SUITE("open_effects_in_bwrap") {
    using cordon::sandbox_local::HostFacts;
    using cordon::sandbox_local::open_effects_in_bwrap;

    TEST_CASE("full enforcement from ABI 3 on, below, what is missing is said") {
        for (const int abi : {3, 5, 7, 20}) {
            CHECK(open_effects_in_bwrap(HostFacts{false, abi, true}).empty());
        }
        for (const int abi : {1, 2}) {
            const auto effects = open_effects_in_bwrap(HostFacts{true, abi, true});
            REQUIRE(effects.size() == 1);
            CHECK(effects[0].find("does not govern truncation") != std::string::npos);
        }
        CHECK(
            open_effects_in_bwrap(HostFacts{false, 0, true})[0].find("no Landlock") !=
            std::string::npos
        );
    }
}
