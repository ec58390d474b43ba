#include <cordon/sandbox/diagnostics.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

using cordon::classify_runner_failure;
using cordon::is_runner_spawn_failure;
using cordon::matches_signature;
using cordon::RunnerFailureRule;
using cordon::SpawnFailure;
using cordon::testing::TemporaryFolder;

namespace {

const std::string kNotice = "landlock-run: partial enforcement (older Landlock ABI)";

std::vector<RunnerFailureRule> landlock_rules() {
    return {RunnerFailureRule{std::vector<int>{125}, {"landlock-run: "}, {kNotice}}};
}

std::vector<RunnerFailureRule> ungated_rules(std::vector<std::string> signatures) {
    return {RunnerFailureRule{std::nullopt, std::move(signatures), {}}};
}

SpawnFailure spawn_failure(std::string code) {
    return {std::move(code), "spawn /usr/bin/bwrap", "/usr/bin/bwrap"};
}

}  // namespace

TEST_SUITE("is_runner_spawn_failure") {
    TEST_CASE("needs a working directory that can be entered (SB-52)") {
        const TemporaryFolder folder;
        const auto file = folder.write("file", "x");
        const auto failure = spawn_failure("ENOENT");

        CHECK(is_runner_spawn_failure(failure, "/usr/bin/bwrap", folder.path()));
        CHECK_FALSE(is_runner_spawn_failure(failure, "/usr/bin/bwrap", file));
        CHECK_FALSE(is_runner_spawn_failure(failure, "/usr/bin/bwrap", folder.path() / "gone"));
        CHECK_FALSE(is_runner_spawn_failure(failure, std::nullopt, folder.path()));
    }

    TEST_CASE("a directory without search permission cannot be entered (SB-52)") {
        if (::geteuid() == 0) {
            CORDON_SKIP("root may enter every directory");
        }
        const TemporaryFolder folder;
        std::filesystem::create_directory(folder.path() / "closed");
        std::filesystem::permissions(folder.path() / "closed", std::filesystem::perms::owner_read);

        const auto failure = spawn_failure("EACCES");
        CHECK_FALSE(is_runner_spawn_failure(failure, "/usr/bin/bwrap", folder.path() / "closed"));
    }

    TEST_CASE("only ENOENT and EACCES speak of the program (SB-53)") {
        CHECK(is_runner_spawn_failure(spawn_failure("ENOENT"), "/usr/bin/bwrap", "/"));
        CHECK(is_runner_spawn_failure(spawn_failure("EACCES"), "/usr/bin/bwrap", "/"));
        for (const char* code : {"ENOEXEC", "ENOTDIR", "EPERM", "EMFILE", "ENOMEM", "2", ""}) {
            CAPTURE(code);
            CHECK_FALSE(is_runner_spawn_failure(spawn_failure(code), "/usr/bin/bwrap", "/"));
        }
    }

    TEST_CASE("call and path must name exactly this program (SB-54)") {
        const auto is = [](std::string syscall, std::optional<std::string> path) {
            return is_runner_spawn_failure(
                SpawnFailure{"ENOENT", std::move(syscall), std::move(path)}, "bwrap", "/"
            );
        };
        CHECK(is("spawn bwrap", std::nullopt));
        CHECK(is("spawn", "bwrap"));
        CHECK(is("spawn bwrap", "bwrap"));
        CHECK_FALSE(is("spawn", std::nullopt));
        CHECK_FALSE(is("open", "bwrap"));
        CHECK_FALSE(is("spawn bwrap", ""));
        CHECK_FALSE(is("spawn bwrap", "bash"));
        CHECK_FALSE(is("spawn bash", "bwrap"));
    }

    TEST_CASE("spellings are compared byte by byte, without a look-up in PATH (SB-55)") {
        const SpawnFailure failure{"ENOENT", "spawn my runner", "my runner"};
        CHECK(is_runner_spawn_failure(failure, "my runner", "/"));
        CHECK_FALSE(is_runner_spawn_failure(failure, "./my runner", "/"));
        CHECK_FALSE(is_runner_spawn_failure(spawn_failure("ENOENT"), "bwrap", "/"));
    }
}

TEST_SUITE("classify_runner_failure") {
    TEST_CASE("a death by signal and a clean exit are no runner failures (SB-57)") {
        const auto rules = ungated_rules({"bwrap: "});
        CHECK_FALSE(classify_runner_failure(std::nullopt, "bwrap: no", rules).has_value());
        CHECK_FALSE(classify_runner_failure(0, "bwrap: no", rules).has_value());
        CHECK(classify_runner_failure(1, "bwrap: no", rules)->detail == "bwrap: no");
    }

    TEST_CASE("lines end at LF or CRLF, never at a lone CR (SB-58)") {
        const auto rules = ungated_rules({"bwrap: "});
        CHECK(
            classify_runner_failure(1, "one\r\nbwrap: two\r\nthree\n", rules)->detail ==
            "bwrap: two"
        );
        CHECK(
            classify_runner_failure(1, "one\rbwrap: two\nthree", rules)->detail == "one\rbwrap: two"
        );
    }

    TEST_CASE("a rule with exit codes matches on those only, with none on none (SB-59)") {
        const auto rules = landlock_rules();
        CHECK(classify_runner_failure(125, "landlock-run: x", rules).has_value());
        CHECK_FALSE(classify_runner_failure(1, "landlock-run: x", rules).has_value());

        std::vector<RunnerFailureRule> never{{std::vector<int>{}, {"bwrap: "}, {}}};
        CHECK_FALSE(classify_runner_failure(1, "bwrap: x", never).has_value());
    }

    TEST_CASE("an informational line is dropped only if it is the whole line (SB-60)") {
        const auto rules = landlock_rules();
        CHECK_FALSE(classify_runner_failure(125, kNotice + "\nother", rules).has_value());
        CHECK_FALSE(classify_runner_failure(
                        125, "LANDLOCK-RUN: Partial enforcement (older landlock ABI)", rules
        )
                        .has_value());
        CHECK(
            classify_runner_failure(125, kNotice + ": extra detail", rules)->detail ==
            kNotice + ": extra detail"
        );
    }

    TEST_CASE("blank signatures are ignored, the others match as they are (SB-61)") {
        CHECK_FALSE(classify_runner_failure(1, "anything", ungated_rules({"", " \t"})).has_value());
        const auto rules = ungated_rules({"", "BWRAP: "});
        CHECK(classify_runner_failure(1, "x bwrap: y", rules)->detail == "x bwrap: y");
        CHECK_FALSE(classify_runner_failure(1, "bwrap:", rules).has_value());
    }

    TEST_CASE("the first line of the first rule that matches is the detail (SB-62)") {
        std::vector<RunnerFailureRule> rules{
            {std::nullopt, {"second"}, {}}, {std::nullopt, {"first"}, {}}};
        CHECK(
            classify_runner_failure(2, "First line\nSecond line\nsecond again", rules)->detail ==
            "Second line"
        );
    }

    TEST_CASE("every launcher line but the notice is fatal with exit 125 (SB-63)") {
        for (const char* text :
             {"landlock-run: usage error: unknown argument: --future",
              "landlock-run: out of memory",
              "landlock-run: landlock is not enforced by this kernel (ABI unsupported or disabled)",
              "landlock-run: cannot open rule path: /x: No such file or directory",
              "landlock-run: landlock ruleset error: Invalid argument",
              "landlock-run: exec failed: No such file or directory",
              "landlock-run: something of a later version"}) {
            CAPTURE(text);
            CHECK(classify_runner_failure(125, text, landlock_rules())->detail == text);
        }
    }
}

TEST_SUITE("matches_signature") {
    const std::vector<std::string> kSignatures{"read-only file system"};

    TEST_CASE("only a failed exit is looked at (SB-64)") {
        const char* text = "sh: 1: cannot create x: Read-only file system\n";
        CHECK(matches_signature(1, text, kSignatures));
        CHECK_FALSE(matches_signature(0, text, kSignatures));
        CHECK_FALSE(matches_signature(std::nullopt, text, kSignatures));
        CHECK_FALSE(matches_signature(1, "Permission denied", kSignatures));
    }

    TEST_CASE("a signature may cross lines of the text, and case does not count (SB-64)") {
        CHECK(matches_signature(1, "READ-ONLY FILE SYSTEM", kSignatures));
        const std::vector<std::string> across{"a\nb"};
        CHECK(matches_signature(1, "A\nB", across));
    }

    TEST_CASE("a blank signature matches nothing (W-23)") {
        const std::vector<std::string> blank{"", "  "};
        CHECK_FALSE(matches_signature(1, "some text", blank));
    }
}
