#include "evaluation.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace cordon::testing {
namespace {

TEST_SUITE("evaluate: refusals") {
    TEST_CASE("a construct that is not supported is named") {
        const std::pair<const char*, const char*> table[] = {
            {"a = 1", "assignment"},
            {"globalThis.x = true", "assignment"},
            {"a += 1", "assignment"},
            {"a++", "the operator '++'"},
            {"1, 2", "the comma operator"},
            {"2 ** 3", "the operator '**'"},
            {"1 | 2", "the operator '|'"},
            {"~1", "the operator '~'"},
            {"'a' in b", "the operator 'in'"},
            {"a instanceof B", "the operator 'instanceof'"},
            {"class A {}", "'class'"},
            {"async () => 1", "'async'"},
            {"await x", "'await'"},
            {"delete a.b", "'delete'"},
            {"this.x", "'this'"},
            {"import.meta.url", "'import'"},
            {"var a = 1", "'var'"},
            {"if (a) b", "'if'"},
            {"tag`x`", "a tagged template"},
            {"(() => { for (;;) {} })()", "a loop"},
            {"(() => { while (true) {} })()", "a loop"},
            {"(() => { let a = 1 })()", "'let'"},
            {"(() => { try {} catch {} finally {} })()", "'finally'"},
            {"function* () {}", "a generator"},
            {"({ f() {} })", "a method in an object"},
            {"({ __proto__: 1 })", "the key '__proto__'"}};
        for (const auto& [source, construct] : table) {
            CAPTURE(std::string{source});
            const auto problems = check_expression(Expression{source}, file_mark());
            REQUIRE(problems.size() == 1);
            CHECK(
                problems[0].problem == std::string{construct} + " is not supported in expressions"
            );
        }
    }

    TEST_CASE("text that is no expression is refused") {
        for (const char* source :
             {"process.platform ===",
              "(1",
              "[1",
              "{a: 1}",
              "'a",
              "\"a\nb\"",
              "`a",
              "a b",
              "1 2",
              "a.",
              "a?",
              "a ? b",
              "?",
              "()",
              "(a, b)",
              "1_000",
              "017",
              "10n",
              "1a",
              "'\\u12'",
              "/a",
              "/* a",
              "return 1",
              "const a = 1",
              "throw 1",
              "new",
              "new new URL()",
              "a ?? b || c",
              "a && b ?? c",
              "...a",
              "[,]",
              "(a, ) + 1",
              "=> 1",
              "#",
              "@x",
              "\\"}) {
            CAPTURE(std::string{source});
            CHECK(is_refused(source));
        }
        CHECK(!is_refused("absent.name(1)"));
    }

    // spec EXP-8
    TEST_CASE("the place is that of the name in the file") {
        const auto evaluate_at = [](const char* source) {
            return to_string(problems_of([&] {
                (void)evaluate(Expression{source}, file_mark(7, 12), host_scope());
            }));
        };
        CHECK(
            evaluate_at("1 + nope") ==
            "test.yml:7:16: error: expression: nope is not defined. Ask with typeof nope whether "
            "the "
            "host gives the name."
        );
        CHECK(evaluate_at("'\xC3\xA9' + nope").find("test.yml:7:18:") == 0);
        CHECK(evaluate_at("1\n + nope").find("test.yml:8:15:") == 0);
        CHECK(
            evaluate_at("proces.env").find("Write 'process' if that is meant") != std::string::npos
        );
    }

    TEST_CASE("a missing service says what to do") {
        CHECK(
            evaluation_problem("ctx.absent.port")
                .find("Cannot read properties of undefined (reading 'port'). 'ctx.absent' is "
                      "undefined: "
                      "write '?.port', or inject the service") != std::string::npos
        );
        CHECK(
            evaluation_problem("ctx.web.port()").find("ctx.web.port is not a function") !=
            std::string::npos
        );
    }

    TEST_CASE("what exists in JavaScript and not here is never undefined") {
        for (const char* source :
             {"'a'.normalize()",
              "'a'.foo",
              "[1].sort()",
              "[1].push(2)",
              "process.exit()",
              "process.hrtime",
              "Math.random()",
              "Date.now()",
              "({}).hasOwnProperty('a')",
              "new Date()",
              "new Map()",
              "process.getBuiltinModule('node:fs')",
              "(1).toString(2)",
              "'\\u00c9'.toLowerCase()",
              "String(() => 1)",
              "() => 1",
              "Number",
              "/a/",
              "new Error('x')",
              "[() => 1]"}) {
            CAPTURE(std::string{source});
            CHECK(!evaluation_problem(source).empty());
        }
    }

    TEST_CASE("catch does not see what is refused here, so no fallback hides it") {
        CHECK(
            evaluation_problem(
                "(() => { try { return process.getBuiltinModule('node:fs') } catch { "
                "return 'fallback' } })()"
            )
                .find("this module is not available") != std::string::npos
        );
    }

    // field-129
    TEST_CASE("no message shows a value of the environment") {
        for (const char* source :
             {"JSON.parse(process.env.TOKEN)",
              "(() => { throw new Error(process.env.TOKEN) })()",
              "(() => { throw process.env.TOKEN })()",
              "({})[process.env.TOKEN].x",
              "ctx.absent[process.env.TOKEN]",
              "'a'[process.env.TOKEN]",
              "process[process.env.TOKEN]",
              "process.getBuiltinModule(process.env.TOKEN)",
              "decodeURIComponent(process.env.TOKEN + '%')",
              "process.env.TOKEN()",
              "process.env.TOKEN.x",
              "[...process.env.TOKEN.length]",
              "new URL('x', process.env.TOKEN)",
              "(() => { throw Object.entries(process.env) })()"}) {
            CAPTURE(std::string{source});
            const std::string problem = evaluation_problem(source);
            CHECK(!problem.empty());
            CHECK(problem.find("key-123") == std::string::npos);
        }
        CHECK(
            evaluation_problem("(() => { throw new Error('set X') })()").find("set X") !=
            std::string::npos
        );
    }
}

TEST_SUITE("evaluate: bounds") {
    TEST_CASE("steps, depth and memory are bounded") {
        for (const char* source :
             {"(() => { const f = () => f(); return f() })()",
              "(() => { const f = n => n > 0 ? f(n - 1) + f(n - 1) : 1; return f(60) })()",
              "'x'.repeat(1e9)",
              "'x'.padStart(1e9)",
              "(() => { const a = 'x'.repeat(1e6); return [a + a, a + a, a + a, a + a, a + a] })()",
              "(() => { const a = [1,1,1,1,1,1,1,1,1,1]; const b = [a,a,a,a,a,a,a,a,a,a]; const c "
              "= "
              "[b,b,b,b,b,b,b,b,b,b]; const d = [c,c,c,c,c,c,c,c,c,c]; const e = "
              "[d,d,d,d,d,d,d,d,d,d]; "
              "return [e,e,e,e,e,e,e,e,e,e] })()",
              "'x'.repeat(50000).split('').reduce((a, b) => [a], 0)"}) {
            CAPTURE(std::string{source});
            CHECK(evaluation_problem(source).find("expected") != std::string::npos);
        }
    }

    TEST_CASE("nesting of the text is bounded") {
        for (const char* open : {"(", "[", "!", "-", "a?", "f(", "{a:", "`${", "(a=", "()=>"}) {
            std::string source;
            for (int i = 0; i < 5000; ++i) {
                source += open;
            }
            CAPTURE(std::string{open});
            CHECK(is_refused(source));
        }
        std::string sum = "1";
        for (int i = 0; i < 5000; ++i) {
            sum += "+1";
        }
        CHECK(is_refused(sum));
        CHECK(is_refused(std::string(70'000, ' ') + "1"));
    }

    TEST_CASE("the same text gives the same value again") {
        CHECK(value_of("[process.pid, baseUrl]") == value_of("[process.pid, baseUrl]"));
    }
}

}  // namespace
}  // namespace cordon::testing
