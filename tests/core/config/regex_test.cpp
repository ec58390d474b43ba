#include "evaluation.hpp"

#include <doctest/doctest.h>

#include <string>

namespace cordon::testing {
namespace {

TEST_SUITE("evaluate: regular expressions") {
    TEST_CASE("classes, groups, alternatives, quantifiers and anchors") {
        check_values({
            {"/^a.c$/.test('abc')", "true"},
            {"/^[a-c\\d_-]+$/.test('ab1_-')", "true"},
            {"/[^a-c]/.test('abc')", "false"},
            {"/^(ab|cd){2}$/.test('abcd')", "true"},
            {"/^(?:a|b)+?c/.test('abac')", "true"},
            {"/\\bfoo\\b/.test('a foo b')", "true"},
            {"/FOO/i.test('foo')", "true"},
            {"/^\\u00e9.$/.test('\\u00e9\\u00e9')", "true"},
            {"/^a{2,3}$/.test('aaaa')", "false"},
            {"/^$/.test('')", "true"},
            {"/[/\\]]/.test(']')", "true"},
            {"/a.b/.test('a\\nb')", "false"},
            {"/^\\S+\\s\\w\\W\\D$/.test('ab c-x')", "true"},
        });
    }

    TEST_CASE("replace, replaceAll, match and split take them") {
        check_values({
            {"'a1b22'.replace(/\\d+/, '<$&>')", "'a<1>b22'"},
            {"'a1b22'.replace(/\\d+/g, n => Number(n) + 1)", "a2b23"},
            {"'a-b'.replace(/(\\w)-(\\w)/, '$2$1$$$3')", "ba$$3"},
            {"'xaxa'.replaceAll(/a/g, 'b')", "xbxb"},
            {"'abc'.replace(/x*/g, '-')", "'-a-b-c-'"},
            {"'k=v'.match(/(\\w)=(\\w)(z)?/)", "[k=v, k, v, null]"},
            {"'a1b2'.match(/\\d/g)", "['1', '2']"},
            {"'abc'.match(/x/)", "null"},
            {"'a1b2c'.split(/(\\d)/)", "[a, '1', b, '2', c]"},
            {"'abc'.split(/(?:)/)", "[a, b, c]"},
            {"','.split(/,/)", "['', '']"},
        });
    }

    TEST_CASE("what is not supported is refused before anything is evaluated") {
        for (const char* source :
             {"/(?=a)/",
              "/(?<n>a)/",
              "/\\1/",
              "/a/y",
              "/a/u",
              "/\\p{L}/",
              "/(/",
              "/[a/",
              "/a**/",
              "/[b-a]/",
              "/*/"}) {
            CAPTURE(std::string{source});
            CHECK(is_refused(source));
        }
    }

    TEST_CASE("one that would take very long is stopped") {
        CHECK(
            evaluation_problem("/^(a+)+$/.test('a'.repeat(40) + 'b')").find("fewer steps") !=
            std::string::npos
        );
        CHECK(evaluation_problem("/(a*)*b/.test('aaaa')").find("fewer steps") != std::string::npos);
        CHECK(value_of("/^a+$/.test('a'.repeat(20000))") == Value{true});
    }
}

}  // namespace
}  // namespace cordon::testing
