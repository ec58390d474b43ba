#include "../../support/temporary_folder.hpp"
#include "support.hpp"

#include <cordon/config/json.hpp>
#include <cordon/config/yaml.hpp>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

namespace cordon::testing {
namespace {

Value scalar(const std::string& text) {
    return parsed_key("key: " + text + "\n", "key");
}

TEST_SUITE("parse_yaml: scalars") {
    // spec composition.md 2
    TEST_CASE("numbers have the spellings of js-yaml's JSON schema") {
        const std::pair<const char*, double> numbers[] = {
            {"0", 0},
            {"12", 12},
            {"-12", -12},
            {"+1", 1},
            {"0x1F", 31},
            {"-0x1f", -31},
            {"0o17", 15},
            {"0b11", 3},
            {"017", 17},
            {"1e3", 1000},
            {"1E-2", 0.01},
            {".5", 0.5},
            {"1.", 1},
            {"-1.25", -1.25},
            {"12345678901234567890", 12345678901234567890.0}};
        for (const auto& [text, number] : numbers) {
            CAPTURE(std::string{text});
            CHECK(scalar(text) == Value{number});
        }
        CHECK(std::isinf(*scalar(".inf").as_number()));
        CHECK(*scalar("-.INF").as_number() < 0);
        CHECK(std::isnan(*scalar(".NaN").as_number()));
    }

    TEST_CASE("booleans and null have three spellings each") {
        for (const char* text : {"true", "True", "TRUE"}) {
            CHECK(scalar(text) == Value{true});
        }
        for (const char* text : {"false", "False", "FALSE"}) {
            CHECK(scalar(text) == Value{false});
        }
        for (const char* text : {"~", "null", "Null", "NULL", ""}) {
            CHECK(scalar(text).is_null());
        }
    }

    TEST_CASE("everything else is a text") {
        for (const char* text :
             {"yes",  "no", "on",    "off",   "2024-01-01", "12:30:45", "1_000", "tRUE",
              "nULL", "0x", "0xG",   "0b2",   "0o8",        "-.5",      "1e",    "e1",
              "+",    ".",  "1.2.3", "0x1F_", "a b",        "inf",      "NaN"}) {
            CAPTURE(std::string{text});
            CHECK(scalar(text) == Value{text});
        }
    }

    TEST_CASE("a quoted scalar is a text whatever it says") {
        CHECK(scalar("'true'") == Value{"true"});
        CHECK(scalar("\"12\"") == Value{"12"});
        CHECK(scalar("'it''s'") == Value{"it's"});
        CHECK(scalar("\"a\\tb\\u00e9\"") == Value{"a\tb\xC3\xA9"});
        CHECK(scalar("\"\\N\\_\\x85\"") == Value{"\xC2\x85\xC2\xA0\xC2\x85"});
        CHECK(scalar("|\n  true\n") == Value{"true\n"});
        CHECK(scalar("! 5") == Value{"5"});
    }

    TEST_CASE("core tags give the type they name") {
        CHECK(scalar("!!str 5") == Value{"5"});
        CHECK(scalar("!!str") == Value{""});
        CHECK(scalar("!!int '5'") == Value{5});
        CHECK(scalar("!!float 5") == Value{5});
        CHECK(scalar("!!bool 'true'") == Value{true});
        CHECK(scalar("!!null ~").is_null());
        CHECK(scalar("!!seq [a]") == Value{Value::Array{"a"}});
        CHECK(scalar("!!map {a: 1}") == Value{Object{{"a", 1}}});
        CHECK(scalar("!!map") == Value{Object{}});
    }

    TEST_CASE("block scalars keep or fold their lines") {
        CHECK(scalar("|\n  a\n\n  b\n") == Value{"a\n\nb\n"});
        CHECK(scalar("|-\n  a\n  b\n") == Value{"a\nb"});
        CHECK(scalar(">-\n  a\n  b\n\n  c\n") == Value{"a b\nc"});
    }
}

TEST_SUITE("parse_yaml: expressions") {
    TEST_CASE("the tag !!js makes an expression of plain, quoted and block text (EXP-1)") {
        CHECK(scalar("!!js process.env.X ?? 'y'") == Value{Expression{"process.env.X ?? 'y'"}});
        CHECK(scalar("!!js \"a ? b : c\"") == Value{Expression{"a ? b : c"}});
        CHECK(scalar("!!js 'it''s'") == Value{Expression{"it's"}});
        CHECK(scalar("!!js x # c") == Value{Expression{"x"}});
        CHECK(scalar("!!js ''") == Value{Expression{""}});
        CHECK(scalar("!<tag:yaml.org,2002:js> x") == Value{Expression{"x"}});
        CHECK(scalar("!!js |-\n  a\n  b\n") == Value{Expression{"a\nb"}});
    }

    TEST_CASE("a folded expression keeps the line breaks of deeper lines") {
        CHECK(scalar("!!js >-\n  a\n    ? b\n    : c\n") == Value{Expression{"a\n  ? b\n  : c"}});
    }

    TEST_CASE("a mapping with the key __jsExpr alone is an expression") {
        CHECK(scalar("{__jsExpr: 'a + b'}") == Value{Expression{"a + b"}});
        CHECK(
            yaml_problem("a: {__jsExpr: x, b: 1}\n").find("'__jsExpr' alone") != std::string::npos
        );
        CHECK(yaml_problem("a: {__jsExpr: 5}\n").find("'__jsExpr' alone") != std::string::npos);
    }

    TEST_CASE("the mark of an expression is where its text starts") {
        CHECK(scalar("!!js x").mark().column == 11);
        CHECK(scalar("!!js 'x'").mark().column == 12);
        CHECK(scalar("!!js |\n   x\n").place() == Place{"test.yml", 2, 4});
    }
}

TEST_SUITE("parse_yaml: structure") {
    TEST_CASE("every value and every key carries its line and column, counted from 1") {
        const Value rows = parsed("# rows\n- id: a\n  config:\n    \xC3\xA9: {k: v}\n");
        const Object& row = *rows.as_array()->front().as_object();
        CHECK(rows.place() == Place{"test.yml", 2, 1});
        CHECK(rows.as_array()->front().place() == Place{"test.yml", 2, 3});
        CHECK(row.find("id")->place() == Place{"test.yml", 2, 7});
        CHECK(row.find_member("config")->key_mark.place() == Place{"test.yml", 3, 3});
        // Columns count characters, not bytes.
        const Object& config = *row.find("config")->as_object();
        CHECK(config.find("\xC3\xA9")->place() == Place{"test.yml", 4, 8});
        CHECK(config.find("\xC3\xA9")->as_object()->find("k")->place() == Place{"test.yml", 4, 12});
    }

    TEST_CASE("keys are texts, spelled as JavaScript spells the value") {
        const Value value = parsed("1: a\n1.50: b\ntrue: c\n~: d\n0x10: e\n'1.50': f\n");
        CHECK(value == parsed("'1': a\n'1.5': b\n'true': c\n'null': d\n'16': e\n'1.50': f\n"));
    }

    TEST_CASE("a merge key is an ordinary key") {
        CHECK(parsed("<<: {a: 1}\nb: 2\n").as_object()->find("a") == nullptr);
        CHECK(parsed_key("<<: {a: 1}\n", "<<") == Value{Object{{"a", 1}}});
    }

    // field-132
    TEST_CASE("anchors and aliases give equal values") {
        CHECK(parsed_key("a: &x {k: [1]}\nb: *x\n", "b") == Value{Object{{"k", Value::Array{1}}}});
        CHECK(parsed_key("&k a: 1\nb: *k\n", "b") == Value{"a"});
    }

    // field-132
    TEST_CASE("a byte order mark and CRLF line ends are accepted") {
        const Value value = parsed("\xEF\xBB\xBF- id: a\r\n  text: |\r\n    x\r\n    y\r\n");
        CHECK(value == parsed("- id: a\n  text: |\n    x\n    y\n"));
        CHECK(parsed("a: 1\rb: 2\r") == parsed("a: 1\nb: 2\n"));
    }

    TEST_CASE("document marks, directives, comments and trailing commas are accepted") {
        CHECK(parsed("---\n- a\n...\n") == Value{Value::Array{"a"}});
        CHECK(parsed("%YAML 1.2\n---\n- a\n") == Value{Value::Array{"a"}});
        CHECK(parsed("[# empty comment\n]") == Value{Value::Array{}});
        CHECK(parsed("[{id: x}, # c\n]") == Value{Value::Array{Object{{"id", "x"}}}});
        CHECK(parsed("? a\n: 1\n? b\n") == parsed("a: 1\nb:\n"));
        CHECK(parsed("a:\tb\n") == Value{Object{{"a", "b"}}});
    }

    // field-121
    TEST_CASE("a text without a document is not the same as null") {
        CHECK(!parse_yaml("", "test.yml").has_value());
        CHECK(!parse_yaml("# only a comment\n", "test.yml").has_value());
        CHECK(!parse_yaml("\xEF\xBB\xBF\r\n", "test.yml").has_value());
        CHECK(parsed("null").is_null());
        CHECK(parsed("---\n").is_null());
    }
}

TEST_SUITE("read_yaml") {
    TEST_CASE("it names the file in places") {
        const TemporaryFolder folder;
        const auto file = folder.write("a.yml", "- id: a\n");
        const auto value = read_yaml(file);
        REQUIRE(value.has_value());
        CHECK(to_string(value->place()) == file.string() + ":1:1");
    }

    // field-120
    TEST_CASE("a file that cannot be read is an error, an empty one is no document") {
        const TemporaryFolder folder;
        const auto absent = problems_of([&] { (void)read_yaml(folder.path() / "absent.yml"); });
        REQUIRE(absent.size() == 1);
        CHECK(absent[0].problem.find("No such file or directory (ENOENT)") != std::string::npos);
        CHECK(
            problems_of([&] { (void)read_yaml(folder.path()); }).at(0).problem ==
            "expected a file, found a folder"
        );
        CHECK(!read_yaml(folder.write("empty.yml", "")).has_value());
    }

    TEST_CASE("a file that is too large is refused") {
        const TemporaryFolder folder;
        const auto file = folder.write("large.yml", std::string(kMaxYamlBytes + 1, '#'));
        const auto problems = problems_of([&] { (void)read_yaml(file); });
        CHECK(problems.at(0).problem.find("at most 8388608 bytes") != std::string::npos);
    }
}

}  // namespace
}  // namespace cordon::testing
