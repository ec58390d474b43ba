#include "evaluation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

namespace cordon::testing {
namespace {

// spec composition.md 3
TEST_SUITE("evaluate: syntax") {
    TEST_CASE("literals, names and members (T0)") {
        check_values({
            {"1.5", "1.5"},
            {"0x1F", "31"},
            {".5e1", "5"},
            {"'a\\n\\x41\\u00e9\\u{1F600}\\ud83d\\ude00'",
             "\"a\\nA\\u00e9\\U0001F600\\U0001F600\""},
            {"\"it's\"", "it's"},
            {"null", "null"},
            {"undefined", "undefined"},
            {"void 0", "undefined"},
            {"", "undefined"},
            {" // only a comment", "undefined"},
            {"/* c */ 1; ;", "1"},
            {"process.env.HOME", "/home/dev"},
            {"process.env['HOME']", "/home/dev"},
            {"process.env.UNSET", "undefined"},
            {"ctx.web.port", "4000"},
            {"web.hosts[0]", "a.example"},
            {"ctx.web.absent", "undefined"},
            {"ctx.absent", "undefined"},
            {"ctx.baseUrl", "file:///srv/app/"},
        });
    }

    TEST_CASE("operators that choose and compare (T1)") {
        check_values({
            {"process.env.UNSET ?? 'd'", "d"},
            {"null ?? undefined ?? 0", "0"},
            {"'' ?? 'd'", "''"},
            {"'' || 'd'", "d"},
            {"0 || null", "null"},
            {"process.env.UNSET && 800 || 50000", "50000"},
            {"'a' && 'b'", "b"},
            {"!''", "true"},
            {"1 === 1.0", "true"},
            {"'1' === 1", "false"},
            {"null === undefined", "false"},
            {"NaN === NaN", "false"},
            {"[] === []", "false"},
            {"'a' !== 'b'", "true"},
            {"null == undefined", "true"},
            {"'1' == 1", "true"},
            {"[1] == 1", "true"},
            {"'x' != 'y'", "true"},
            {"true ? 1 : 2", "1"},
            {"0 ? 1 : false ? 2 : 3", "3"},
            {"baseUrl?.5:1", "0.5"},
        });
    }

    TEST_CASE("calls, chains, arithmetic and typeof (T2)") {
        check_values({
            {"process.cwd()", "/srv/app"},
            {"ctx.get('web').port + 1", "4001"},
            {"ctx.get('absent')", "undefined"},
            {"ctx.get('absent')?.port ?? 1", "1"},
            {"ctx.absent?.a.b.c(1)[2]", "undefined"},
            {"ctx.absent?.['a']", "undefined"},
            {"ctx.absent?.(1)", "undefined"},
            {"(ctx.absent?.a) ?? 'x'", "x"},
            {"'a' + 1 + 2", "a12"},
            {"1 + 2 + 'a'", "3a"},
            {"'a' + null + undefined + true", "anullundefinedtrue"},
            {"1 + null", "1"},
            {"[1, 2] + ''", "'1,2'"},
            {"({}) + ''", "'[object Object]'"},
            {"7 - 2 * 3", "1"},
            {"7 % 4 / 2", "1.5"},
            {"-'3' + +'4'", "1"},
            {"'10' < '9'", "true"},
            {"10 < 9", "false"},
            {"'10' > 9", "true"},
            {"1 <= 1 && 2 >= 3", "false"},
            {"undefined > 1", "false"},
            {"typeof absent", "'undefined'"},
            {"typeof absent === 'undefined'", "true"},
            {"typeof null", "object"},
            {"typeof (() => 1)", "function"},
            {"typeof Number", "function"},
            {"typeof process.env.N", "string"},
            {"process.platform + process.arch + process.pid", "linuxx6442"},
            {"process.execPath + ' ' + process.version", "/usr/bin/cordon v1.2.3"},
        });
    }

    TEST_CASE("templates (T3)") {
        check_values({
            {"`Bearer ${process.env.TOKEN}`", "Bearer key-123"},
            {"`a${`b${1 + 1}`}c`", "ab2c"},
            {"`${undefined}-${null}-${[1,2]}`", "undefined-null-1,2"},
            {"`line\nbreak \\${x} \\``", "\"line\\nbreak ${x} `\""},
            {"`${ {a: '}'}.a }`", "'}'"},
        });
    }

    TEST_CASE("lists, mappings and spread (T4)") {
        check_values({
            {"[1, 'a', [true]]", "[1, a, [true]]"},
            {"[1, undefined, 2,]", "[1, null, 2]"},
            {"[...ctx.web.hosts, 'b']", "[a.example, b]"},
            {"[...'ab']", "[a, b]"},
            {"({a: 1, 'b c': 2, 3: 4, ['x' + 'y']: 5, ...{a: 6}})",
             "{a: 6, b c: 2, '3': 4, xy: 5}"},
            {"({baseUrl}).baseUrl", "file:///srv/app/"},
            {"({a: undefined, b: null})", "{b: null}"},
            {"({...null, ...undefined})", "{}"},
            {"Math.max(...[1, 3, 2])", "3"},
        });
    }

    TEST_CASE("functions as arguments, patterns and regular expressions (T5)") {
        check_values({
            {"process.env.LIST.split(',').filter(Boolean)", "[a, b]"},
            {"[1, 2].map(n => n * 2)", "[2, 4]"},
            {"[1, 2].map((n, i) => n + i)", "[1, 3]"},
            {"[[1, 2], [3, 4]].map(([, v]) => v)", "[2, 4]"},
            {"[{a: 1}].map(({a, b = 5}) => a + b)", "[6]"},
            {"[{a: {b: [7]}}].map(({a: {b: [c]}}) => c)", "[7]"},
            {"[[1, 2, 3]].map(([a, ...rest]) => rest)", "[[2, 3]]"},
            {"((a, b = a, ...c) => [a, b, c])(1, undefined, 2, 3)", "[1, 1, [2, 3]]"},
            {"(x => x + 1)(1)", "2"},
            {"((x) => (x))((2))", "2"},
            {"[1].map(() => ({a: 1}))", "[{a: 1}]"},
            {"'a  b\\tc'.split(/\\s+/)", "[a, b, c]"},
            {"'/C:/x'.replace(/^\\/([A-Za-z]:)/, '$1')", "C:/x"},
            {"'a///'.replace(/\\/+$/, '')", "a"},
            {"6 / 2 / 3", "1"},
        });
    }

    TEST_CASE("functions with a body that are called at once (T6)") {
        check_values({
            {"(() => { const a = 1, b = a + 1; return b })()", "2"},
            {"(() => { return })()", "undefined"},
            {"(() => { 1; })()", "undefined"},
            {"(function () { return true })()", "true"},
            {"(function named(a) { return a })(3)", "3"},
            {"(() => { try { return absent } catch { return 'f' } })()", "f"},
            {"(() => { try { require('fs') } catch (e) { return e.message } })()",
             "require is not defined"},
            {"(() => { try { throw new Error('m') } catch ({name, message}) { return name + "
             "message } "
             "})()",
             "Errorm"},
            {"(() => { try { throw 'plain' } catch (e) { return e } })()", "plain"},
            {"(() => { const a = 1\nconst f = () => a\nreturn f() })()", "1"},
            {"(() => { const f = (n) => n > 0 ? n + f(n - 1) : 0; return f(4) })()", "10"},
        });
    }

    TEST_CASE("numbers that JSON does not know are numbers") {
        CHECK(std::isnan(*value_of("Number(process.env.UNSET)").as_number()));
        CHECK(*value_of("1 / 0").as_number() == std::numeric_limits<double>::infinity());
    }
}

TEST_SUITE("interpolate") {
    // spec EXP-2, EXP-4
    TEST_CASE("every expression is replaced at any depth, and the raw value is kept") {
        const Value raw =
            parsed("a: !!js 1 + 1\nb: [!!js baseUrl, {c: !!js process.env.N}]\nd: x\n");
        const Value before = raw;
        CHECK(
            interpolate(raw, host_scope()) ==
            parsed("a: 2\nb: [file:///srv/app/, {c: '2000'}]\nd: x\n")
        );
        CHECK(raw == before);
    }

    // spec composition.md 3: an unset variable lets the schema's default apply.
    TEST_CASE("an undefined key is left out, an undefined item is null") {
        const Value raw =
            parsed("a: !!js process.env.UNSET\nb: [!!js undefined, 1]\nc: !!js null\n");
        CHECK(interpolate(raw, host_scope()) == parsed("b: [null, 1]\nc: null\n"));
        CHECK(!interpolate(parsed("!!js undefined"), host_scope()).has_value());
    }

    TEST_CASE("marks stay, and what an expression gave is marked as computed") {
        const auto value = interpolate(parsed("a: !!js '[baseUrl]'\nb: x\n"), host_scope());
        REQUIRE(value.has_value());
        const Value& computed = *value->as_object()->find("a");
        CHECK(computed.mark().is_computed);
        CHECK(computed.as_array()->front().mark().is_computed);
        CHECK(computed.place() == Place{"test.yml", 1, 10});
        CHECK(!value->as_object()->find("b")->mark().is_computed);
        CHECK(value->as_object()->find_member("b")->key_mark.line == 2);
    }
}

}  // namespace
}  // namespace cordon::testing
