#include "support.hpp"

#include <cordon/config/yaml.hpp>

#include <doctest/doctest.h>

#include <string>

namespace cordon::testing {
namespace {

TEST_SUITE("parse_yaml: refusals") {
    // field-130, spec README decision 3
    TEST_CASE("a duplicate key is refused with both lines") {
        CHECK(
            yaml_problem("config: 1\nother: 2\nconfig: 3\n") ==
            "test.yml:3:1: error: expected every key once, found 'config' again (first in line 1). "
            "Remove one of the two."
        );
        CHECK(yaml_problems("{a: 1, 'a': 2}\n").size() == 1);
        CHECK(yaml_problems("1: a\n'1': b\n").size() == 1);
    }

    TEST_CASE("every problem of a file is reported at once") {
        CHECK(yaml_problems("a: 1\na: 2\nb: !foo x\nc: !!js\n").size() == 3);
    }

    // field-132
    TEST_CASE("a tab as indentation is refused with its line") {
        for (const char* text :
             {"a:\n\tb: 1\n",
              "a:\n  b: 1\n\tc: 2\n",
              "- a\n\t- b\n",
              "\ta: 1\n",
              "a: [\n\tb]\n",
              "a:\n  \tb: 1\n",
              "a: |\n\tx\n"}) {
            CAPTURE(std::string{text});
            const auto problems = yaml_problems(text);
            REQUIRE(problems.size() == 1);
            CHECK(problems[0].problem == "expected spaces as indentation, found a tab");
            CHECK(problems[0].hint == "Indent with spaces");
            CHECK(problems[0].place.line > 0);
        }
    }

    // field-132
    TEST_CASE("a second document is refused") {
        CHECK(
            yaml_problem("a: 1\n---\nb: 2\n") ==
            "test.yml:2:1: error: expected one document, found a second one. Put it into a file of "
            "its own."
        );
        CHECK(
            yaml_problem("- a\nb: 1\n").find("test.yml:2:1: error: expected the end of the file") ==
            0
        );
        // Two files of the field have a quote alone on a line of its own.
        CHECK(yaml_problem("'\n- name: 'x'\n").find("stray quote") != std::string::npos);
    }

    // field-131: yaml-cpp reads the last line as a key with the value null.
    TEST_CASE("a line without a colon is refused") {
        CHECK(
            yaml_problem("name: x\nnot-a-key") ==
            "test.yml:2:1: error: expected ':' behind the key, found 'not-a-key' alone. Write "
            "'not-a-key: VALUE', or indent the line if it continues the value above."
        );
        CHECK(
            yaml_problem("name: x\n'quoted' # c\n").find("test.yml:2:1: error") != std::string::npos
        );
        CHECK(
            yaml_problem("name: x\nnot-a-key\nb: 1\n").find("every line above has its colon") !=
            std::string::npos
        );
        CHECK(yaml_problem("a: {b: 1, c}\n").find("found 'c' alone") != std::string::npos);
        CHECK(yaml_problems("name:\nother: # c\n'q' :\nlast:").empty());
    }

    // field-128, spec README decision 3
    TEST_CASE("an unquoted ternary is refused with the quoted spelling") {
        CHECK(
            yaml_problem("n: !!js process.env.N ? Number(process.env.N) : undefined\n") ==
            "test.yml:1:4: error: expected one text behind '!!js', found characters that YAML "
            "itself reads. Quote the whole expression: !!js \"process.env.N ? "
            "Number(process.env.N) : undefined\"."
        );
        const std::string meant = "!!js \"a ? b : c\"";
        CHECK(yaml_problem("- !!js a ? b : c\n").find(meant) != std::string::npos);
        CHECK(yaml_problem("!!js a ? b : c # x\n").find(meant) != std::string::npos);
        CHECK(yaml_problem("{n: !!js a ? b : c}\n").find(meant) != std::string::npos);
        CHECK(
            yaml_problem("n: !!js (a ? 'x' : 'y')\n").find("!!js \"(a ? 'x' : 'y')\"") !=
            std::string::npos
        );
        CHECK(yaml_problem("n: !!js a\n  ? b\n  : c\n").find("test.yml:1:4") == 0);
    }

    TEST_CASE("an expression that YAML reads as its own syntax is refused with the quoted spelling"
    ) {
        CHECK(yaml_problem("n: !!js [1, 2]\n").find("!!js \"[1, 2]\"") != std::string::npos);
        CHECK(yaml_problem("n: !!js {a: 1}\n").find("!!js \"{a: 1}\"") != std::string::npos);
        CHECK(
            yaml_problem("n: !!js `Bearer ${x}`\n").find("!!js \"`Bearer ${x}`\"") !=
            std::string::npos
        );
        CHECK(yaml_problem("n: !!js !x\n").find("!!js \"!x\"") != std::string::npos);
        CHECK(yaml_problem("n: !!js 'a' + b\n").find("!!js \"'a' + b\"") != std::string::npos);
        CHECK(yaml_problem("n: !!js \"a\" + b\n").find("!!js '\"a\" + b'") != std::string::npos);
        CHECK(yaml_problem("n: !!js %x\n").find("!!js \"%x\"") != std::string::npos);
        CHECK(yaml_problem("n: !!js - x\n").find("!!js \"- x\"") != std::string::npos);
        CHECK(yaml_problem("{a: !!js f(1, 2)}\n").find("!!js \"f(1, 2)\"") != std::string::npos);
    }

    // yaml-cpp wants more indentation here than YAML does.
    TEST_CASE("a block expression behind a dash must be indented deeper than its tag") {
        CHECK(yaml_problems("- !!js >-\n    a\n    b\n").empty());
        CHECK(
            yaml_problem("- !!js >-\n  a\n  b\n").find("deeper than its '!!js'") !=
            std::string::npos
        );
    }

    TEST_CASE("an expression tag with nothing behind it is refused (EXP-1)") {
        for (const char* text :
             {"a: !!js\n", "a: !!js # c\nb: 1\n", "a: !!js\nb: 1\n", "- !!js\n- a\n"}) {
            CAPTURE(std::string{text});
            CHECK(
                yaml_problem(text).find("expected an expression behind '!!js', found nothing") !=
                std::string::npos
            );
        }
    }

    // field-127
    TEST_CASE("an unquoted at sign or backtick is refused with the quoted spelling") {
        CHECK(
            yaml_problem("- id: @scope/x # c\n") ==
            "test.yml:1:7: error: expected a value, found '@', which cannot start an unquoted "
            "text. Quote it: \"@scope/x\"."
        );
        CHECK(yaml_problem("a: `x`\n").find("Quote it: \"`x`\"") != std::string::npos);
        CHECK(yaml_problem("@a/b: 1\n").find("Quote it: \"@a/b\"") != std::string::npos);
        CHECK(yaml_problem("a: [@b/c]\n").find("Quote it: \"@b/c\"") != std::string::npos);
    }

    TEST_CASE("unknown tags and values that are not of their tag are refused") {
        for (const char* text :
             {"a: !foo x\n",
              "a: !!set {b: 1}\n",
              "a: !!binary eA==\n",
              "a: !!timestamp 2024-01-01\n",
              "a: !foo [b]\n",
              "a: !!map [b]\n"}) {
            CAPTURE(std::string{text});
            CHECK(yaml_problem(text).find("expected a known tag") != std::string::npos);
        }
        CHECK(yaml_problem("a: !js x\n").find("Write '!!js'") != std::string::npos);
        CHECK(
            yaml_problem("a: !!int x\n").find("expected a value of type !!int, found 'x'") !=
            std::string::npos
        );
        CHECK(
            yaml_problem("a: !!bool yes\n").find("expected a value of type !!bool") !=
            std::string::npos
        );
    }

    TEST_CASE("keys that are no scalars are refused") {
        CHECK(
            yaml_problem("? [a]\n: 1\n").find("expected a text as key, found a list") !=
            std::string::npos
        );
        CHECK(
            yaml_problem("{{a: 1}: 2}\n").find("expected a text as key, found a mapping") !=
            std::string::npos
        );
    }

    // yaml-cpp takes the end of the file as the closing quote.
    TEST_CASE("a quote that is never closed is refused where it opens") {
        for (const char* text :
             {"a: \"b\nc: 1\n", "a: \"b", "a: 'b", "a: 'b\nc: 1\n", "a: !!js \"b\n"}) {
            CAPTURE(std::string{text});
            const auto problems = yaml_problems(text);
            REQUIRE(problems.size() == 1);
            CHECK(problems[0].problem.find("expected a closing") == 0);
            CHECK(problems[0].place.line == 1);
        }
    }

    TEST_CASE("brackets must be closed, and only those that were opened") {
        CHECK(yaml_problem("a: [b, c\nd: 1\n").find("for the '[' in line 1") != std::string::npos);
        CHECK(
            yaml_problem("{a: 1\n").find("expected ',' or '}' for the '{' in line 1") !=
            std::string::npos
        );
        CHECK(
            yaml_problem("a: ]\n").find("closing bracket without an opening one") !=
            std::string::npos
        );
    }

    TEST_CASE("wrong indentation and stray text are refused") {
        CHECK(
            yaml_problem("a:\n    b: 1\n  c: 2\n").find("Indent the line like its neighbours") !=
            std::string::npos
        );
        CHECK(yaml_problem("a: 1\n b: 2\n").find("expected no ': ' here") != std::string::npos);
        CHECK(yaml_problem("a: 'b' c\n").find("test.yml:1:8") == 0);
        CHECK(
            yaml_problem("a: - b\n").find("found '- ' on the line of its key") != std::string::npos
        );
        CHECK(yaml_problem("a: \"\\q\"\n").find("test.yml:1:7") == 0);
        CHECK(yaml_problem("a: *nope\n").find("alias of an unknown one") != std::string::npos);
    }

    TEST_CASE("text that is not UTF-8, and control characters, are refused with their place") {
        CHECK(
            yaml_problem("a: 1\nb: \xFF\n") ==
            "test.yml:2: error: expected UTF-8, found the byte 0xFF at offset 8. Save the file as "
            "UTF-8."
        );
        CHECK(
            yaml_problem(std::string_view{"a: \0\n", 5}).find("control character 0x00") !=
            std::string::npos
        );
        CHECK(yaml_problem("a: \x1B[0m\n").find("test.yml:1:4") == 0);
    }
}

TEST_SUITE("parse_yaml: bounds") {
    // field-132
    TEST_CASE("an alias inside the value it names is refused") {
        CHECK(
            yaml_problem("a: &a\n  b: *a\n").find("inside the value it names") != std::string::npos
        );
        CHECK(yaml_problem("&a [*a]\n").find("inside the value it names") != std::string::npos);
    }

    // field-132
    TEST_CASE("aliases that multiply are bounded in values and in bytes") {
        std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
        for (int i = 1; i < 9; ++i) {
            bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
            for (int j = 0; j < 10; ++j) {
                bomb += "*a" + std::to_string(i - 1) + (j < 9 ? "," : "]\n");
            }
        }
        CHECK(yaml_problem(bomb).find("expected at most 500000 values") != std::string::npos);

        std::string large = "a: &a " + std::string(1'000'000, 'x') + "\nb:\n";
        for (int i = 0; i < 20; ++i) {
            large += "  - *a\n";
        }
        CHECK(yaml_problem(large).find("bytes in aliases") != std::string::npos);
    }

    // field-132
    TEST_CASE("nesting is bounded") {
        CHECK(
            yaml_problem(std::string(10'000, '[')).find("at most 100 levels") != std::string::npos
        );
        std::string block;
        for (int i = 0; i < 10'000; ++i) {
            block += "- ";
        }
        CHECK(yaml_problem(block + "x\n").find("at most 100 levels") != std::string::npos);
        CHECK(yaml_problems(std::string(100, '[') + std::string(100, ']')).empty());
    }

    TEST_CASE("size is bounded") {
        CHECK(
            yaml_problem(std::string(kMaxYamlBytes + 1, 'a')).find("expected at most") !=
            std::string::npos
        );
    }
}

}  // namespace
}  // namespace cordon::testing
