#include "support.hpp"

#include <cordon/config/yaml.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace cordon::testing {
namespace {

TEST_SUITE("emit_yaml") {
    TEST_CASE("it writes block style with two spaces, as people do") {
        const std::string text =
            "- id: bash\n"
            "  name: '@scope/bash'\n"
            "  config:\n"
            "    timeoutMs: 60000\n"
            "    roots:\n"
            "      - ./src\n"
            "      - 'a: b'\n"
            "    empty: []\n"
            "    none: {}\n"
            "    port: !!js process.env.PORT ?? 3080\n"
            "- id: other\n"
            "  disabled: true\n";
        CHECK(emit_yaml(parsed(text)) == text);
    }

    TEST_CASE("texts that would read as something else are quoted") {
        for (const char* text :
             {"",     "true", "~",    "null",   "12",       "0x1F",         "1e3",         ".5",
              ".inf", "- x",  "a: b", "a #b",   " a",       "a ",           "@x",          "`x`",
              "%x",   "!x",   "&x",   "*x",     "[x",       "{x",           "#x",          "'x",
              "\"x",  "|x",   ">x",   "? x",    "...",      "---",          "a:",          "x\ty",
              "x\\y", "it's", "\x7F", "a\r\nb", "\xC2\x85", "\xE2\x80\xA8", "\xEF\xBB\xBF"}) {
            CAPTURE(std::string{text});
            const Value value{Object{{"key", text}}};
            CHECK(parsed(emit_yaml(value)) == value);
        }
    }

    TEST_CASE("texts of several lines keep every line") {
        for (const char* text :
             {"a\nb",
              "a\nb\n",
              "a\n\nb\n\n",
              "\na",
              " a\nb",
              "a \nb",
              "a\n  b\n",
              "a\n\tb",
              "\n",
              "a\n "}) {
            CAPTURE(std::string{text});
            const Value value{Value::Array{text, Object{{"key", text}}, Value{Expression{text}}}};
            CHECK(parsed(emit_yaml(value)) == value);
        }
        CHECK(emit_yaml(Object{{"key", "a\n\nb\n"}}) == "key: |\n  a\n\n  b\n");
    }

    TEST_CASE("expressions keep their text behind the tag") {
        for (const char* source :
             {"a",
              "",
              "a ? 'b' : 'c'",
              "`x ${y}`",
              "[1, 2]",
              "!a",
              "a # b",
              "a\n  ? b\n  : c",
              "\"\\n\""}) {
            CAPTURE(std::string{source});
            const Value value{Object{{"key", Expression{source}}}};
            CHECK(parsed(emit_yaml(value)) == value);
        }
        CHECK(
            emit_yaml(Object{{"a", Expression{"x ? 'y' : 'z'"}}}) == "a: !!js 'x ? ''y'' : ''z'''\n"
        );
    }

    TEST_CASE("keys of every kind come back as the same text") {
        Object members;
        for (const char* key :
             {"a",
              "1",
              "1.10",
              "true",
              "~",
              "",
              "a b",
              "a: b",
              "'*'",
              "git diff *",
              "a\nb",
              "<<"}) {
            members.set(key, 1);
        }
        members.set(std::string(5000, 'k'), Object{{"x", 1}});
        CHECK(parsed(emit_yaml(members)) == Value{members});
    }

    TEST_CASE("numbers come back as the same number") {
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double number :
             {0.0,
              1.0,
              -1.5,
              1e21,
              1.5e-7,
              5e-324,
              1.7976931348623157e308,
              9007199254740993.0,
              infinity,
              -infinity}) {
            CAPTURE(number);
            CHECK(parsed(emit_yaml(Object{{"n", number}})) == Value{Object{{"n", number}}});
        }
    }

    TEST_CASE("lists in lists and scalars alone come back equal") {
        const Value nested{Value::Array{Value::Array{1, Value::Array{2}}, Value::Array{}, nullptr}};
        CHECK(parsed(emit_yaml(nested)) == nested);
        CHECK(emit_yaml(Value{}) == "null\n");
        CHECK(emit_yaml(Value{Value::Array{}}) == "[]\n");
    }
}

}  // namespace
}  // namespace cordon::testing
