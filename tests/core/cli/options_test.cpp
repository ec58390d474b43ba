#include <cli/exit_code.hpp>
#include <cli/options.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace cordon;
using namespace cordon::cli;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

Options parse(Words words) {
    words.insert(words.begin(), "cordon");
    return parse_options(words);
}

UsageExit refused(const Words& words) {
    try {
        parse(words);
    } catch (const UsageExit& usage) {
        return usage;
    }
    FAIL("the arguments were accepted");
    return UsageExit{0, false, {}};
}

}  // namespace

TEST_SUITE("parse_options") {
    TEST_CASE("words after -- belong to the command, whatever they look like") {
        const Options options = parse({"run", "--mode", "read-only", "--", "ls", "--mode", "-la"});
        CHECK(options.command == Command::run);
        CHECK(options.run.policy.mode == SandboxMode::read_only);
        CHECK(options.run.words == Words{"ls", "--mode", "-la"});
    }

    TEST_CASE("an empty word and a word like an option value stay words") {
        CHECK(
            parse({"run", "--", "printf", "", "--", "-"}).run.words ==
            Words{"printf", "", "--", "-"}
        );
    }

    TEST_CASE("composition options stand before or after the command") {
        const Words before{"--bundle", "a", "--patch", "p.yml", "compose"};
        const Words after{"compose", "--bundle", "a", "--patch", "p.yml"};
        for (const Words& words : {before, after}) {
            const Options options = parse(words);
            CHECK(options.command == Command::compose);
            CHECK(options.global.composition.bundles == Words{"a"});
            REQUIRE(options.global.composition.patches.size() == 1);
            CHECK(options.global.composition.patches[0] == "p.yml");
        }
    }

    TEST_CASE("repeated options keep their order") {
        const Options options =
            parse({"compose", "--patch", "1", "--patch", "2", "--bundle", "x", "--bundle", "y"});
        CHECK(options.global.composition.patches.back() == "2");
        CHECK(options.global.composition.bundles == Words{"x", "y"});
    }

    TEST_CASE("without --bundle the choice is left to the composition") {
        CHECK_FALSE(parse({"compose"}).global.composition.bundles.has_value());
    }

    TEST_CASE("durations carry a unit") {
        CHECK(parse({"run", "--timeout", "500ms", "--", "x"}).run.timeout == 500ms);
        CHECK(parse({"run", "--timeout", "2s", "--", "x"}).run.timeout == 2s);
        CHECK(parse({"run", "--timeout", "5m", "--", "x"}).run.timeout == 5min);
        for (const char* wrong : {"5", "0s", "-1s", "1h", "s", "", "99999999999s", "1.5s"}) {
            CAPTURE(wrong);
            CHECK(refused({"run", "--timeout", wrong, "--", "x"}).status == kCannotRun);
        }
    }

    TEST_CASE("variables are NAME=VALUE, and the value may hold anything") {
        const Options options = parse({"run", "--env", "A=b=c", "--env", "E=", "--", "x"});
        CHECK(options.run.env.at("A") == "b=c");
        CHECK(options.run.env.at("E") == "");
        CHECK(
            refused({"run", "--env", "novalue", "--", "x"}).text.find("NAME=VALUE") !=
            std::string::npos
        );
        CHECK(refused({"run", "--env", "=x", "--", "x"}).status == kCannotRun);
    }

    TEST_CASE("a mode that does not exist is refused with the ones that do") {
        const UsageExit usage = refused({"run", "--mode", "readonly", "--", "x"});
        CHECK(usage.status == kCannotRun);
        CHECK_FALSE(usage.to_stdout);
        CHECK(
            usage.text.find("read-only, workspace-write or danger-full-access") != std::string::npos
        );
        CHECK(usage.text.find("'readonly'") != std::string::npos);
    }

    TEST_CASE("a complaint can be told from a command's status") {
        CHECK(refused({"run"}).status == kCannotRun);
        CHECK(refused({"run", "--nonsense", "--", "x"}).status == kCannotRun);
        CHECK(refused({"compose", "--nonsense"}).status == kUsage);
        CHECK(refused({}).status == kUsage);
    }

    TEST_CASE("help and version are results, not complaints") {
        for (const Words& words : {Words{"--help"}, Words{"run", "--help"}, Words{"--version"}}) {
            const UsageExit usage = refused(words);
            CHECK(usage.status == 0);
            CHECK(usage.to_stdout);
            CHECK_FALSE(usage.text.empty());
        }
        CHECK(refused({"run", "--help"}).text.find("Example:") != std::string::npos);
    }
}
