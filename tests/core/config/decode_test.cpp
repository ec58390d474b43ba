#include "support.hpp"

#include <cordon/config/decode.hpp>

#include <boost/describe.hpp>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::testing {
namespace {

enum class Mode { read_only, workspace_write, default_ };
BOOST_DESCRIBE_ENUM(Mode, read_only, workspace_write, default_)

struct Target {
    static constexpr std::array<std::string_view, 1> kRequired{"host"};

    std::string host;
    std::uint16_t port = 80;
};
BOOST_DESCRIBE_STRUCT(Target, (), (host, port))

struct Limits {
    double ratio = 0.5;
    std::optional<std::int64_t> memory_bytes;
};
BOOST_DESCRIBE_STRUCT(Limits, (), (ratio, memory_bytes))

struct Config {
    std::string workspace_root = ".";
    bool enabled = true;
    int level = 3;
    Mode mode = Mode::workspace_write;
    std::chrono::milliseconds kill_grace{2000};
    std::optional<std::chrono::milliseconds> timeout_ms;
    std::optional<std::string> note;
    std::filesystem::path state = "state";
    std::vector<Target> targets;
    std::map<std::string, std::vector<int>> groups;
    Limits limits;
    Value extra;
};
BOOST_DESCRIBE_STRUCT(
    Config,
    (),
    (workspace_root,
     enabled,
     level,
     mode,
     kill_grace,
     timeout_ms,
     note,
     state,
     targets,
     groups,
     limits,
     extra)
)

Config decoded(std::string_view text) {
    return decode<Config>(parsed(text));
}

std::string decode_problem(std::string_view text) {
    return to_string(problems_of([&] { (void)decoded(text); }));
}

TEST_SUITE("decode") {
    TEST_CASE("members are keys in camel case, durations end in Ms, enumerators have dashes") {
        const Config config = decoded(
            "workspaceRoot: /w\nenabled: false\nlevel: -7\nmode: read-only\nkillGraceMs: 10\n"
            "timeoutMs: 20\nnote: n\nstate: s\nextra: [1]\n"
            "targets: [{host: a}, {host: b, port: 65535}]\ngroups: {x: [1, 2]}\n"
            "limits: {ratio: 1, memoryBytes: 9007199254740992}\n"
        );
        CHECK(config.workspace_root == "/w");
        CHECK(!config.enabled);
        CHECK(config.level == -7);
        CHECK(config.mode == Mode::read_only);
        CHECK(config.kill_grace == std::chrono::milliseconds{10});
        CHECK(config.timeout_ms == std::chrono::milliseconds{20});
        CHECK(config.note == "n");
        CHECK(config.state == "s");
        CHECK(config.targets.at(1).port == 65535);
        CHECK(config.groups.at("x") == std::vector<int>{1, 2});
        CHECK(config.limits.memory_bytes == 9007199254740992);
        CHECK(config.extra == Value{Value::Array{1}});
    }

    TEST_CASE("a trailing underscore keeps an enumerator off a keyword") {
        CHECK(decoded("mode: default\n").mode == Mode::default_);
    }

    // spec SCH-2, SCH-3
    TEST_CASE("absent and null mean the default, at the top and below") {
        for (const char* text : {"null", "{}", "mode: ~\nlimits: ~\ntargets: null\nnote: null\n"}) {
            CAPTURE(text);
            const Config config = decoded(text);
            CHECK(config.mode == Mode::workspace_write);
            CHECK(config.kill_grace == std::chrono::milliseconds{2000});
            CHECK(config.limits.ratio == 0.5);
            CHECK(!config.timeout_ms.has_value());
            CHECK(!config.note.has_value());
            CHECK(config.targets.empty());
        }
    }

    TEST_CASE("every problem is reported with place and path") {
        CHECK(
            decode_problem("mode: workspace-wrte\ntargets:\n  - port: 1\n  - {host: b, pot: 2}\n"
            ) ==
            "test.yml:1:7: error: config: $.mode expected \"read-only\" | \"workspace-write\" | "
            "\"default\" but got \"workspace-wrte\". Write 'workspace-write' if that is meant.\n"
            "test.yml:3:5: error: config: $.targets[0].host missing required value. Set 'host', "
            "which has no default.\n"
            "test.yml:4:15: error: config: $.targets[1].pot is not a known key. "
            "Write 'port' if that is meant."
        );
    }

    // spec README decision 5: a mistyped setting must never weaken a policy.
    TEST_CASE("an unknown key is an error that names the nearest or all") {
        CHECK(
            decode_problem("workspaceRot: /w\n").find("Write 'workspaceRoot' if that is meant") !=
            std::string::npos
        );
        CHECK(
            decode_problem("workspace_root: /w\n").find("$.workspace_root is not a known key") !=
            std::string::npos
        );
        CHECK(
            decode_problem("limits: {zzzzzzzz: 1}\n").find("Use one of: ratio, memoryBytes") !=
            std::string::npos
        );
    }

    // field-133; spec SCH-5, SCH-10, SCH-11, SCH-16
    TEST_CASE("nothing is turned into another type, and numbers are exact and in range") {
        const auto problem = [](std::string_view text) {
            const auto problems = problems_of([&] { (void)decode<Config>(parsed(text), ""); });
            REQUIRE(problems.size() == 1);
            return problems.front().problem;
        };
        CHECK(problem("enabled: 'false'\n") == "$.enabled expected boolean but got \"false\"");
        CHECK(problem("enabled: no\n") == "$.enabled expected boolean but got \"no\"");
        CHECK(problem("enabled: 1\n") == "$.enabled expected boolean but got 1");
        CHECK(problem("workspaceRoot: 1\n") == "$.workspaceRoot expected string but got 1");
        CHECK(problem("level: '1'\n") == "$.level expected number but got \"1\"");
        CHECK(problem("targets: {}\n") == "$.targets expected array but got {}");
        CHECK(problem("groups: []\n") == "$.groups expected object but got []");
        CHECK(problem("limits: 1\n") == "$.limits expected object but got 1");
        CHECK(problem("[]") == "expected object but got []");
        CHECK(problem("text") == "expected object but got \"text\"");
        CHECK(problem("groups: {a b: 1}\n") == "$.groups['a b'] expected array but got 1");
        CHECK(
            problem("mode: 1\n") ==
            "$.mode expected \"read-only\" | \"workspace-write\" | \"default\" but got 1"
        );
        CHECK(problem("note: !!js x\n") == "$.note expected string but got an expression");
        CHECK(problem("level: 1.5\n") == "$.level expected number multiple of 1 but got 1.5");
        CHECK(
            problem("level: 2147483648\n") ==
            "$.level expected number <= 2147483647 but got 2147483648"
        );
        CHECK(
            problem("level: -2147483649\n") ==
            "$.level expected number >= -2147483648 but got -2147483649"
        );
        CHECK(
            problem("targets: [{host: a, port: -1}]\n") ==
            "$.targets[0].port expected number >= 0 but got -1"
        );
        // Beside a bound of 2^53 a small fraction is easily lost.
        for (const char* fraction : {"0.1", "0.25", "0.5", "-0.5", "1.5", "1e-12"}) {
            CAPTURE(fraction);
            CHECK(
                problem("limits: {memoryBytes: " + std::string{fraction} + "}\n") ==
                "$.limits.memoryBytes expected number multiple of 1 but got " +
                    std::string{fraction}
            );
        }
        CHECK(
            problem("limits: {memoryBytes: 1e300}\n") ==
            "$.limits.memoryBytes expected number <= 9007199254740992 but got 1e+300"
        );
        CHECK(
            problem("limits: {ratio: .nan}\n") ==
            "$.limits.ratio expected finite number but got NaN"
        );
        CHECK(problem("level: .nan\n") == "$.level expected number multiple of 1 but got NaN");
        CHECK(problem("level: .inf\n") == "$.level expected number <= 2147483647 but got Infinity");
        CHECK(problem("killGraceMs: -1\n") == "$.killGraceMs expected number >= 0 but got -1");
        CHECK(
            problem("killGraceMs: 0.5\n") ==
            "$.killGraceMs expected number multiple of 1 but got 0.5"
        );
    }

    TEST_CASE("a value that an expression gave is not shown") {
        Value secret{"key-123"};
        Mark mark;
        mark.is_computed = true;
        secret.set_mark(mark);
        const auto problems = problems_of([&] {
            (void)decode<Config>(Object{
                {"mode", secret}, {"level", secret}, {"enabled", Value::Array{secret}}});
        });
        CHECK(problems.size() == 3);
        CHECK(to_string(problems).find("key-123") == std::string::npos);
        CHECK(to_string(problems).find("but got a string from an expression") != std::string::npos);
    }
}

TEST_SUITE("schema_of") {
    TEST_CASE("check returns every problem and none for a right config") {
        const ConfigSchema schema = schema_of<Config>();
        CHECK(schema.check(parsed("level: x\nenabled: y\n")).size() == 2);
        CHECK(schema.check(Value{}).empty());
        CHECK(schema.check(parsed("level: 1\n")).empty());
    }

    // spec PIT-24, SCH-21
    TEST_CASE("check leaves the config as it is") {
        const Value config = parsed("targets: [{host: a}]\n");
        const Value before = config;
        (void)schema_of<Config>().check(config);
        CHECK(config == before);
    }

    TEST_CASE("describe lists type and default of every key") {
        const Value described = schema_of<Config>().describe();
        const Object& keys = *described.as_object();
        CHECK(keys.size() == 12);
        CHECK(
            *keys.find("killGraceMs") == Value{Object{{"type", "milliseconds"}, {"default", 2000}}}
        );
        CHECK(
            *keys.find("mode") == Value{Object{
                                      {"type", "\"read-only\" | \"workspace-write\" | \"default\""},
                                      {"default", "workspace-write"}}}
        );
        CHECK(*keys.find("note") == Value{Object{{"type", "string"}, {"default", nullptr}}});
        const Object& limits = *keys.find("limits")->as_object()->find("keys")->as_object();
        CHECK(*limits.find("ratio") == Value{Object{{"type", "number"}, {"default", 0.5}}});
    }
}

}  // namespace
}  // namespace cordon::testing
