#include "evaluation.hpp"

#include <doctest/doctest.h>

#include <string>

namespace cordon::testing {
namespace {

TEST_SUITE("evaluate: functions") {
    TEST_CASE("methods of texts") {
        check_values({
            {"'  a b '.trim() + '|'", "'a b|'"},
            {"'\\u00a0\\ufeffx\\v'.trim()", "x"},
            {"' a '.trimStart() + ' a '.trimEnd()", "'a  a'"},
            {"'abc'.slice(1)", "bc"},
            {"'abc'.slice(-2, -1)", "b"},
            {"'abc'.slice(2, 1)", "''"},
            {"'abc'.substring(2, 0)", "ab"},
            {"'abc'.startsWith('b', 1)", "true"},
            {"'abc'.endsWith('b', 2)", "true"},
            {"'abc'.includes('')", "true"},
            {"'abcb'.indexOf('b', 2)", "3"},
            {"'abcb'.lastIndexOf('b')", "3"},
            {"'abc'.indexOf('x')", "-1"},
            {"'a,b,c'.split(',', 2)", "[a, b]"},
            {"'abc'.split('')", "[a, b, c]"},
            {"'abc'.split()", "[abc]"},
            {"''.split(',')", "['']"},
            {"'aXbX'.replace('X', '$&$&')", "aXXbX"},
            {"'aXbX'.replaceAll('X', '-')", "a-b-"},
            {"'ab'.replaceAll('', '-')", "'-a-b-'"},
            {"'a-b'.replace('-', (m, i) => m + i)", "a-1b"},
            {"'Ab1'.toLowerCase() + 'aB1'.toUpperCase()", "ab1AB1"},
            {"'a'.concat(1, null)", "a1null"},
            {"'abc'.at(-1) + 'abc'.charAt(0) + 'abc'.charAt(9)", "ca"},
            {"'A'.charCodeAt(0)", "65"},
            {"'7'.padStart(3, '0') + '7'.padEnd(3, 'ab')", "0077ab"},
            {"'ab'.repeat(2)", "abab"},
            {"'abc'.length + 'abc'[1]", "3b"},
        });
    }

    TEST_CASE("lengths and indices of texts count UTF-16 units") {
        check_values({
            {"'\\u00e9'.length", "1"},
            {"'\\u{1F600}'.length", "2"},
            {"'\\u{1F600}b'.slice(2)", "b"},
            {"'\\u00e9b'.indexOf('b')", "1"},
            {"'\\u00e9b'[0] === '\\u00e9'", "true"},
        });
    }

    TEST_CASE("methods of lists") {
        check_values({
            {"[1, 2, 3].filter(n => n > 1)", "[2, 3]"},
            {"[1, 2].some(n => n > 1)", "true"},
            {"[1, 2].every(n => n > 1)", "false"},
            {"[1, 2].find(n => n > 1)", "2"},
            {"[1, 2].find(n => n > 2)", "undefined"},
            {"[1, 2].findIndex(n => n > 1)", "1"},
            {"[1, NaN].includes(NaN)", "true"},
            {"[1, NaN].indexOf(NaN)", "-1"},
            {"[1, null, undefined, 'a'].join('-')", "1---a"},
            {"[1, [2, 3]].join()", "'1,2,3'"},
            {"[1, 2, 3].slice(-2)", "[2, 3]"},
            {"[1].concat([2, 3], 4)", "[1, 2, 3, 4]"},
            {"[1, [2, [3]]].flat()", "[1, 2, [3]]"},
            {"[1, 2].flatMap(n => [n, n])", "[1, 1, 2, 2]"},
            {"[1, 2, 3].reduce((a, b) => a + b)", "6"},
            {"[].reduce((a, b) => a + b, 5)", "5"},
            {"[1, 2].at(-1)", "2"},
            {"String([1, 2].length + [1][5])", "NaN"},
        });
    }

    TEST_CASE("Number, parseInt, parseFloat, String and Boolean") {
        check_values({
            {"Number('')", "0"},
            {"Number(' 12 ')", "12"},
            {"Number('0x1f')", "31"},
            {"String(Number('1_0'))", "NaN"},
            {"String(Number('12px'))", "NaN"},
            {"Number(null) + Number(true) + Number([7])", "8"},
            {"parseInt('12px')", "12"},
            {"parseInt('0x1f')", "31"},
            {"parseInt('ff', 16)", "255"},
            {"String(parseInt(''))", "NaN"},
            {"parseFloat('.5rem')", "0.5"},
            {"parseFloat('1e3x')", "1000"},
            {"Number.isInteger(5) && !Number.isInteger('5')", "true"},
            {"isNaN('x') && Number.isNaN(NaN) && isFinite('5')", "true"},
            {"String(1e21) + String(0.1) + String(-0) + 1e-7", "1e+210.101e-7"},
            {"String([1, null]) + String(null)", "'1,null'"},
            {"String.fromCharCode(72, 105)", "Hi"},
            {"(5).toString() + (1.005).toFixed(1)", "'51.0'"},
            {"Boolean('0')", "true"},
            {"Math.round(2.5) + Math.floor(1.9) + Math.min()", ".inf"},
        });
    }

    TEST_CASE("JSON and Object") {
        check_values({
            {"JSON.parse('{\"a\": [1, null, \"x\"]}')", "{a: [1, null, x]}"},
            {"JSON.stringify({b: [0.5, undefined, 'q\"'], c: undefined, d: NaN})",
             "'{\"b\":[0.5,null,\"q\\\"\"],\"d\":null}'"},
            {"Object.entries({b: 1, a: 2})", "[[b, 1], [a, 2]]"},
            {"Object.keys({b: 1, 2: 2, 1: 3})", "['1', '2', b]"},
            {"Object.values({b: 1, a: 2})", "[1, 2]"},
            {"Object.fromEntries([['a', 1], ['b', 2]])", "{a: 1, b: 2}"},
            {"Array.isArray([]) && !Array.isArray({})", "true"},
            {"Object.keys(process.env).length", "4"},
        });
    }

    TEST_CASE("paths, homes and modules") {
        check_values({
            {"cordonHomePath('sessions', 'a')", "/home/dev/.cordon/sessions/a"},
            {"dshHomePath()", "/home/dev/.cordon"},
            {"process.getBuiltinModule('node:path').join('a', '..', '/b/', './c')", "b/c"},
            {"process.getBuiltinModule('path').join('')", "'.'"},
            {"process.getBuiltinModule('node:path').resolve('x', '../y/')", "/srv/app/y"},
            {"process.getBuiltinModule('node:path').resolve('x', '/y')", "/y"},
            {"process.getBuiltinModule('node:path').dirname('/a/b/')", "/a"},
            {"process.getBuiltinModule('node:path').dirname('a')", "'.'"},
            {"process.getBuiltinModule('node:path').basename('/a/b.txt', '.txt')", "b"},
            {"process.getBuiltinModule('node:path').dirname('//a')", "//"},
            {"process.getBuiltinModule('node:path').basename('.a', '.a')", "''"},
            {"process.getBuiltinModule('node:path').basename('/.a', '.a')", ".a"},
            {"process.getBuiltinModule('node:path').extname('.a.b')", ".b"},
            {"process.getBuiltinModule('node:path').normalize('/../a//b/./')", "/a/b/"},
            {"process.getBuiltinModule('node:path').isAbsolute('/a')", "true"},
            {"process.getBuiltinModule('node:os').homedir()", "/home/dev"},
            {"process.getBuiltinModule('node:os').tmpdir()", "/tmp"},
            {"process.getBuiltinModule('node:url').fileURLToPath(new URL('a%20b/', baseUrl))",
             "/srv/app/a b/"},
            {"process.getBuiltinModule('node:url').fileURLToPath('file:///x')", "/x"},
            {"process.getBuiltinModule('node:url').pathToFileURL('/a b/').href", "file:///a%20b/"},
            {"encodeURIComponent('a b/\\u00e9') + decodeURIComponent('%20%C3%A9')",
             "\"a%20b%2F%C3%A9 \\u00e9\""},
        });
    }

    TEST_CASE("a function of the host is not there where the host has no home") {
        ExpressionScope scope = host_scope();
        scope.home.clear();
        CHECK(!problems_of([&] { (void)evaluate(Expression{"dshHomePath()"}, file_mark(), scope); }
        ).empty());
    }
}

}  // namespace
}  // namespace cordon::testing
