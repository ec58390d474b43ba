// The provider with stand-ins for bubblewrap that work, break, or never answer.

#include "confined_run.hpp"

#include <cordon/async/task_group.hpp>
#include <cordon/base/error.hpp>
#include <cordon/sandbox/roots.hpp>

#include <boost/asio/post.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

using cordon::Object;
using cordon::SandboxBackendReport;
using cordon::SandboxProvider;
using cordon::Task;
using cordon::Value;
using cordon::testing::ConfinementFixture;
using cordon::testing::TemporaryFolder;

namespace {

struct Stand : ConfinementFixture {
    /// Configures a shell script as bubblewrap.
    void stand_in(const std::string& script, double timeout_ms = 5000) {
        const auto file = folder.write("bwrap", "#!/bin/sh\n" + script + "\n");
        ::chmod(file.c_str(), 0755);
        configure(Object{
            {"chain", Value::Array{"bwrap"}},
            {"bwrap", cordon::canonical_path(file)},
            {"probeTimeoutMs", Value{timeout_ms}}});
    }

    SandboxBackendReport inspect() {
        std::vector<SandboxBackendReport> reports;
        host.run(inspect_into(reports));
        REQUIRE(reports.size() == 1);
        return reports.front();
    }

    /// The message with which a read-only call of `true` is refused.
    std::string refusal(const std::string& workspace = "/") {
        try {
            shell(cordon::ConfinedSandboxMode::workspace_write, workspace, "true");
        } catch (const cordon::Error& error) {
            return error.message();
        }
        return {};
    }

    TemporaryFolder folder;

private:
    Task<> inspect_into(std::vector<SandboxBackendReport>& reports) {
        const auto provider = host.context().get<SandboxProvider>();
        reports = co_await provider->inspect();
    }
};

/// Ends what the wrapped command starts with: the runner's own options.
constexpr const char* kRunLauncher = "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"";

}  // namespace

TEST_SUITE("the probe of sandbox-local") {
    TEST_CASE_FIXTURE(Stand, "a runner that only knows its version is not usable (field-24)") {
        stand_in(
            "[ \"$1\" = --version ] && exit 0; echo 'bwrap: setting up uid map: Permission denied' "
            ">&2; exit 1"
        );
        const auto report = inspect();
        CHECK(report.name == "bwrap");
        CHECK_FALSE(report.usable);
        CHECK(report.why_not == "bwrap: setting up uid map: Permission denied");
    }

    TEST_CASE_FIXTURE(
        Stand, "a runner that ends well without having confined anything is not usable (field-33)"
    ) {
        stand_in("exit 0");
        const auto report = inspect();
        CHECK_FALSE(report.usable);
        CHECK(report.why_not == "the runner ended without having confined anything");
    }

    TEST_CASE_FIXTURE(
        Stand, "a runner that does not know a flag is not usable, and says which (field-36)"
    ) {
        stand_in("echo \"bwrap: Unknown option $1\" >&2; exit 1");
        CHECK(inspect().why_not.find("bwrap: Unknown option --") == 0);
    }

    TEST_CASE_FIXTURE(Stand, "a runner that never answers is ended after the time limit") {
        stand_in("sleep 30", 200);
        const auto before = std::chrono::steady_clock::now();
        const auto report = inspect();
        CHECK_FALSE(report.usable);
        CHECK(report.why_not == "no answer within 200 ms");
        CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds{20});
    }

    TEST_CASE_FIXTURE(Stand, "what is inspected stands in the report") {
        stand_in(kRunLauncher);
        const auto report = inspect();
        std::string facts;
        for (const std::string& fact : report.facts) {
            facts += fact + "\n";
        }
        CHECK(facts.find("bwrap: " + cordon::canonical_path(folder.path())) != std::string::npos);
        CHECK(facts.find("Landlock ABI: ") != std::string::npos);
        CHECK(facts.find("--check") != std::string::npos);
    }

    TEST_CASE_FIXTURE(Stand, "the bubblewrap of this host passes it") {
        configure(Object{{"chain", Value::Array{"bwrap"}}});
        const auto report = inspect();
        if (!report.usable) {
            CORDON_SKIP_UNCONFINED(report.why_not.c_str());
        }
        CHECK(report.why_not.empty());
    }
}

TEST_SUITE("sandbox-local without a usable bubblewrap") {
    TEST_CASE_FIXTURE(Stand, "a call is refused in the contract's words (SB-12, LP-12)") {
        configure(Object{{"chain", Value::Array{"bwrap"}}, {"bwrap", "/nonexistent/bwrap"}});
        const TemporaryFolder workspace;
        CHECK(
            refusal(workspace.path())
                .find(
                    "sandbox mode \"workspace-write\" is requested but no sandbox backend is usable"
                ) == 0
        );
    }

    TEST_CASE_FIXTURE(
        Stand,
        "a bubblewrap that commands could replace is not used from their workspace (W-15, field-15)"
    ) {
        stand_in("touch " + (folder.path() / "planted").string());
        CHECK(refusal(folder.path()).find("commands could replace it") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder.path() / "planted"));
    }

    TEST_CASE_FIXTURE(Stand, "a broken runner runs nothing, and its report says so (field-34)") {
        stand_in("echo 'bwrap: cannot' >&2; exit 1");
        const auto result = shell(cordon::ConfinedSandboxMode::read_only, "/", "echo ran");
        CHECK_FALSE(result.report.confined);
        CHECK(result.output.empty());
        CHECK(result.status.exit_code == 1);
    }
}

TEST_SUITE("the configuration of sandbox-local") {
    TEST_CASE_FIXTURE(Stand, "a time limit of nothing is refused (LP-2)") {
        CHECK_THROWS_WITH_AS(
            stand_in("exit 0", 0),
            "sandbox-local: probeTimeoutMs must be a positive finite number",
            cordon::Error
        );
    }

    TEST_CASE_FIXTURE(Stand, "a program is named by its absolute path") {
        CHECK_THROWS_WITH_AS(
            configure(Object{{"bwrap", "bwrap"}}),
            "sandbox-local: bwrap must be an absolute path: bwrap",
            cordon::Error
        );
    }

    TEST_CASE_FIXTURE(
        Stand, "a workspace that holds the home directory is warned about once (field-55)"
    ) {
        const TemporaryFolder home;
        std::filesystem::create_directory(home.path() / "me");
        const char* const before = ::getenv("HOME");
        const std::string old = before != nullptr ? before : "";
        ::setenv("HOME", (home.path() / "me").c_str(), 1);
        configure(Object{{"chain", Value::Array{"bwrap"}}, {"bwrap", "/usr/bin/true"}});
        for (int i = 0; i < 2; ++i) {
            shell(cordon::ConfinedSandboxMode::workspace_write, home.path(), "true");
        }
        before != nullptr ? ::setenv("HOME", old.c_str(), 1) : ::unsetenv("HOME");
        REQUIRE(host.log.size() == 1);
        CHECK(host.log[0].find("contains your home directory") != std::string::npos);
    }
}
