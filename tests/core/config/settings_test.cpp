#include "support.hpp"

#include <cordon/config/decode.hpp>

#include <boost/describe.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace cordon::testing {
namespace {

struct NameRules {
    static constexpr double min_length = 2;
    static constexpr double max_length = 4;
    static constexpr std::string_view pattern = "^[a-z]+$";
};

struct StepRules {
    static constexpr double min = 0.1;
    static constexpr double max = 1;
    static constexpr double step = 0.2;
};

struct FewRules {
    static constexpr double min_length = 1;
    static constexpr double max_length = 2;
};

enum class Bit { read, write };
BOOST_DESCRIBE_ENUM(Bit, read, write)

struct Endpoint {
    static constexpr std::array<std::string_view, 1> kRequired{"host"};

    std::string host;
    std::optional<int> port;
};
BOOST_DESCRIBE_STRUCT(Endpoint, (), (host, port))

/// Recursive, so its schema is made when it is used.
struct Tree {
    std::string name = "leaf";
    std::vector<Tree> children;
};
BOOST_DESCRIBE_STRUCT(Tree, (), (name, children))

struct Named {
    static constexpr std::array<std::string_view, 1> kRequired{"name"};

    std::string name;
    int size = 1;
};
BOOST_DESCRIBE_STRUCT(Named, (), (name, size))

struct Sized {
    static constexpr std::array<std::string_view, 1> kRequired{"unit"};

    int size = 2;
    std::string unit;
};
BOOST_DESCRIBE_STRUCT(Sized, (), (size, unit))

struct Both : Named, Sized {
    bool extra = false;
};
BOOST_DESCRIBE_STRUCT(Both, (Named, Sized), (extra))

struct Outer {
    Endpoint endpoint;
    Checked<double, PercentRules> right{0.5};
    Checked<double, PercentRules> broken{2};
};
BOOST_DESCRIBE_STRUCT(Outer, (), (endpoint, right, broken))

/// A host and a port in one text: what a plugin converts for itself.
struct Address {
    std::string host;
    std::string port;
};

}  // namespace
}  // namespace cordon::testing

template <>
struct cordon::Setting<cordon::testing::Address> {
    static void read(const Value& value, testing::Address& out, ConfigReader& reader) {
        std::string text;
        const std::size_t before = reader.problems().size();
        Setting<std::string>::read(value, text, reader);
        const std::size_t colon = text.find(':');
        if (reader.problems().size() != before) {
            return;
        }
        if (colon == std::string::npos) {
            reader.report(value, "expected HOST:PORT", "Write the port behind a colon");
            return;
        }
        out = {text.substr(0, colon), text.substr(colon + 1)};
    }

    static Value write(const testing::Address& setting) {
        return setting.host.empty() ? Value{} : Value{setting.host + ':' + setting.port};
    }

    static std::string type() { return "string"; }
};

namespace cordon::testing {
namespace {

using Choice = std::variant<Literal<"auto">, int, Endpoint>;

struct Settings {
    Choice choice;
    std::optional<std::variant<Literal<"a">, Literal<"b">>> letter;
    Literal<"1"> version;
    std::integral_constant<int, 7> seven;
    std::integral_constant<bool, true> yes;
    std::monostate gone;
    Checked<std::string, NameRules> name{"abc"};
    Checked<double, StepRules> ratio{0.3};
    Checked<double, NaturalRules> natural;
    Checked<double, PercentRules> percent;
    Checked<std::vector<int>, FewRules> few{{1}};
    std::tuple<int, std::string, std::optional<bool>> pair;
    std::set<Bit> bits;
    std::map<Bit, int> levels;
    std::vector<std::optional<int>> holes;
    Tree tree;
    Address address;
    Value any;
};
BOOST_DESCRIBE_STRUCT(
    Settings,
    (),
    (choice,
     letter,
     version,
     seven,
     yes,
     gone,
     name,
     ratio,
     natural,
     percent,
     few,
     pair,
     bits,
     levels,
     holes,
     tree,
     address,
     any)
)

Settings settings(std::string_view text) {
    return decode<Settings>(parsed(text), "");
}

template <typename Config = Settings>
Diagnostic refusal(std::string_view text) {
    const auto problems = problems_of([&] { (void)decode<Config>(parsed(text), ""); });
    REQUIRE(problems.size() == 1);
    return problems.front();
}

template <typename Config = Settings>
std::string problem(std::string_view text) {
    return refusal<Config>(text).problem;
}

bool is_right(std::string_view text) {
    return problems_of([&] { (void)settings(text); }).empty();
}

TEST_SUITE("settings") {
    // spec SCH-1
    TEST_CASE("every config has its own defaults") {
        const Value given = parsed("any: [1]\n");
        Settings first = decode<Settings>(given);
        first.few.value.push_back(2);
        first.tree.name = "changed";
        first.any = Value{};
        const Settings second = decode<Settings>(given);
        CHECK(second.few.value == std::vector<int>{1});
        CHECK(second.tree.name == "leaf");
        CHECK(second.any == Value{Value::Array{1}});
    }

    // spec SCH-2, SCH-3
    TEST_CASE("what is required is required in an absent mapping too, and defaults keep the rules"
    ) {
        const auto problems = problems_of([] { (void)decode<Outer>(parsed("{}"), ""); });
        REQUIRE(problems.size() == 2);
        CHECK(problems[0].problem == "$.endpoint.host missing required value");
        CHECK(problems[0].hint == "Set 'host', which has no default");
        CHECK(problems[1].problem == "$.broken expected number <= 1 but got 2");
        CHECK(problem<Endpoint>("host: ~\n") == "$.host missing required value");
    }

    // spec SCH-4 with decision 5 of its README: a key that nobody knows is refused, not kept
    TEST_CASE("each key is checked, and what came out absent is not written back") {
        CHECK(problem("tree: {nmae: x}\n") == "$.tree.nmae is not a known key");
        CHECK(problem("tree: {name: 1}\n") == "$.tree.name expected string but got 1");
        const Value kept = schema_of<Endpoint>().simplify(parsed("{host: a, port: ~}"));
        CHECK(kept == Value{Object{{"host", "a"}}});
    }

    // spec SCH-6, SCH-12
    TEST_CASE("a union is the first alternative that accepts") {
        CHECK(settings("choice: auto\n").choice.index() == 0);
        CHECK(std::get<int>(settings("choice: 5\n").choice) == 5);
        CHECK(std::get<Endpoint>(settings("choice: {host: h}\n").choice).host == "h");
        CHECK(
            problem("choice: aut\n") ==
            "$.choice expected \"auto\" | integer | { host: string, port?: integer } but got "
            "\"aut\""
        );
        CHECK(problem("letter: c\n") == "$.letter expected \"a\" | \"b\" but got \"c\"");
        const Diagnostic near = refusal("choice: {host: h, port: x}\n");
        CHECK(near.hint == "Nearest: $.choice.port expected number but got \"x\"");
        CHECK(near.problem.ends_with("but got {\"host\":\"h\",\"port\":\"x\"}"));
        CHECK(problem("version: 1\n") == "$.version expected \"1\" but got 1");
        CHECK(problem("seven: 8\n") == "$.seven expected 7 but got 8");
        CHECK(problem("yes: false\n") == "$.yes expected true but got false");
        CHECK(is_right("version: '1'\nseven: 7\nyes: true\n"));
    }

    // spec SCH-7
    TEST_CASE("a literal does not accept null, but a union of literals may be absent") {
        ConfigReader reader;
        Literal<"a"> literal;
        Setting<Literal<"a">>::read(Value{}, literal, reader);
        REQUIRE(reader.problems().size() == 1);
        CHECK(reader.problems().front().problem == "expected \"a\" but got null");
        CHECK(!settings("letter: ~\n").letter.has_value());
        CHECK(!settings("{}").letter.has_value());
    }

    // spec SCH-8
    TEST_CASE("a struct with bases is their intersection") {
        const Both both = decode<Both>(parsed("{name: n, unit: u, size: 5}"));
        CHECK(both.Named::size == 5);
        CHECK(both.Sized::size == 5);
        const auto problems = problems_of([] { (void)decode<Both>(parsed("size: x\n"), ""); });
        std::vector<std::string> texts;
        for (const Diagnostic& diagnostic : problems) {
            texts.push_back(diagnostic.problem);
        }
        CHECK(
            texts ==
            std::vector<std::string>{
                "$.size expected number but got \"x\"",
                "$.size expected number but got \"x\"",
                "$.name missing required value",
                "$.unit missing required value"}
        );
        CHECK(
            Setting<Both>::write(Both{}) ==
            Value{Object{{"name", ""}, {"size", 1}, {"unit", ""}, {"extra", false}}}
        );
        CHECK(
            schema_of<Both>().type() ==
            "{ name: string, size?: integer, unit: string, extra?: boolean }"
        );
    }

    // spec SCH-9
    TEST_CASE("texts have a length in UTF-16 units and a pattern") {
        CHECK(problem("name: a\n") == "$.name expected string length >= 2 but got 1");
        CHECK(problem("name: abcde\n") == "$.name expected string length <= 4 but got 5");
        CHECK(
            problem("name: \xF0\x9F\x98\x80\xF0\x9F\x98\x80"
                    "b\n") == "$.name expected string length <= 4 but got 5"
        );
        CHECK(problem("name: aB\n") == "$.name expect string to match regexp /^[a-z]+$/");
        CHECK(problem("name: 12\n") == "$.name expected string but got 12");
        CHECK(settings("name: zz\n").name.value == "zz");
    }

    // spec SCH-10
    TEST_CASE("steps count from the least number in decimals") {
        for (const char* right : {"0.1", "0.3", "0.5", "0.7", "0.9"}) {
            CAPTURE(right);
            CHECK(is_right("ratio: " + std::string{right} + "\n"));
        }
        CHECK(problem("ratio: 0.2\n") == "$.ratio expected number multiple of 0.2 but got 0.2");
        CHECK(problem("ratio: 1.1\n") == "$.ratio expected number <= 1 but got 1.1");
        CHECK(problem("ratio: 0\n") == "$.ratio expected number >= 0.1 but got 0");
        CHECK(problem("natural: 1.5\n") == "$.natural expected number multiple of 1 but got 1.5");
        CHECK(problem("natural: -1\n") == "$.natural expected number >= 0 but got -1");
        CHECK(is_right("natural: 9007199254740991\n"));
        CHECK(is_right("percent: 0.29\n"));
        CHECK(
            problem("percent: 0.295\n") ==
            "$.percent expected number multiple of 0.01 but got 0.295"
        );
        CHECK(problem("percent: 1.01\n") == "$.percent expected number <= 1 but got 1.01");
    }

    // spec SCH-13
    TEST_CASE("lists have a length, tuples a setting for each index, mappings one for keys") {
        CHECK(problem("few: []\n") == "$.few expected array length >= 1 but got 0");
        CHECK(problem("few: [1, 2, 3]\n") == "$.few expected array length <= 2 but got 3");
        CHECK(problem("few: [1, x]\n") == "$.few[1] expected number but got \"x\"");
        CHECK(settings("pair: [1, b]\n").pair == std::tuple{1, std::string{"b"}, std::nullopt});
        CHECK(std::get<2>(settings("pair: [1, b, true]\n").pair) == true);
        CHECK(problem("pair: [1, 2]\n") == "$.pair[1] expected string but got 2");
        CHECK(problem("pair: [1]\n") == "$.pair[1] missing required value");
        CHECK(problem("pair: [1, b, true, 4]\n") == "$.pair expected array length <= 3 but got 4");
        CHECK(settings("levels: {write: 3}\n").levels.at(Bit::write) == 3);
        const Diagnostic wrong_key = refusal("levels: {wrte: 3}\n");
        CHECK(wrong_key.problem == "$.levels.wrte expected \"read\" | \"write\" but got \"wrte\"");
        CHECK(wrong_key.hint == "Write 'write' if that is meant");
        CHECK(
            settings("holes: [1, ~]\n").holes == std::vector<std::optional<int>>{1, std::nullopt}
        );
    }

    // spec SCH-14
    TEST_CASE("settings convert, refer to themselves, take anything, nothing or a set of names") {
        CHECK(settings("address: 'h:80'\n").address.port == "80");
        CHECK(problem("address: h\n") == "$.address expected HOST:PORT");
        CHECK(problem("address: 1\n") == "$.address expected string but got 1");
        CHECK(
            settings("tree: {children: [{children: [{name: x}]}]}\n")
                .tree.children.at(0)
                .children.at(0)
                .name == "x"
        );
        CHECK(
            problem("tree: {children: [{children: [{name: 1}]}]}\n") ==
            "$.tree.children[0].children[0].name expected string but got 1"
        );
        CHECK(settings("any: {a: [1, ~]}\n").any == parsed("{a: [1, ~]}"));
        CHECK(is_right("gone: ~\n"));
        CHECK(problem("gone: 0\n") == "$.gone expected nullable but got 0");
        CHECK(settings("bits: [write, read, write]\n").bits == std::set{Bit::read, Bit::write});
        CHECK(
            problem("bits: [red]\n") == "$.bits[0] expected \"read\" | \"write\" but got \"red\""
        );
    }

    // spec SCH-17: what the reference stops at is the first; the others follow
    TEST_CASE("a value has one problem, and problems stand in the order of the settings") {
        const auto problems = problems_of([] { (void)settings("few: x\nname: 7\nseven: []\n"); });
        REQUIRE(problems.size() == 3);
        CHECK(problems[0].problem == "$.seven expected 7 but got []");
        CHECK(problems[1].problem == "$.name expected string but got 7");
        CHECK(problems[2].problem == "$.few expected array but got \"x\"");
        CHECK(problem("name: A\n") == "$.name expected string length >= 2 but got 1");
    }

    // spec SCH-18
    TEST_CASE("programs get the path as a list") {
        const Diagnostic deep = refusal("tree: {children: [{}, {name: 1}]}\n");
        CHECK(deep.path == std::vector<std::string>{"tree", "children", "1", "name"});
        CHECK(refusal("[]").path.empty());
        CHECK(refusal<Endpoint>("{}").path == std::vector<std::string>{"host"});
    }

    // spec SCH-19
    TEST_CASE("simplify leaves what is not a default") {
        const auto simplify = schema_of<Settings>().simplify;
        CHECK(
            simplify(parsed("name: abc\nratio: 0.3\nversion: '1'\ntree: {name: leaf}\n")) ==
            Value{Object{}}
        );
        CHECK(
            simplify(
                parsed("tree: {name: leaf, children: [{name: leaf}, {name: x, children: []}]}\n")
            ) == parsed("tree: {children: [{}, {name: x}]}\n")
        );
        CHECK(simplify(parsed("few: [1]\nletter: ~\nunknown: 1\n")) == parsed("unknown: 1\n"));
        CHECK(simplify(parsed("few: [2]\nratio: !!js x\n")) == parsed("few: [2]\nratio: !!js x\n"));
        CHECK(simplify(parsed("[1]")) == parsed("[1]"));
    }

    // spec SCH-20
    TEST_CASE("a schema prints as a compact type") {
        CHECK(schema_of<Endpoint>().type() == "{ host: string, port?: integer }");
        CHECK(schema_of<Tree>().type() == "{ name?: string, children?: { ... }[] }");
        CHECK(
            schema_of<Settings>().type() ==
            "{ choice?: \"auto\" | integer | { host: string, port?: integer }, "
            "letter?: \"a\" | \"b\", version?: \"1\", seven?: 7, yes?: true, gone?: never, "
            "name?: string, ratio?: number, natural?: number, percent?: number, few?: integer[], "
            "pair?: [integer, string, boolean], bits?: (\"read\" | \"write\")[], "
            "levels?: { [key: \"read\" | \"write\"]: integer }, holes?: integer[], "
            "tree?: { name?: string, children?: { ... }[] }, address?: string, any?: any }"
        );
    }

    TEST_CASE("a long value is cut in its message") {
        const std::string text = problem("seven: " + std::string(500, 'x') + "\n");
        CHECK(text.size() < 120);
        CHECK(text.ends_with("..."));
    }
}

}  // namespace
}  // namespace cordon::testing
