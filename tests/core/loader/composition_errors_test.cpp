#include "layers.hpp"

#include <cordon/loader/patch.hpp>

#include <doctest/doctest.h>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::compose_texts;
using testing::contains;
using testing::problems_in;
using testing::problems_of;

TEST_SUITE("make_layer()") {
    TEST_CASE("a file without content is an empty layer (decision 2, field-121)") {
        CHECK(testing::layer("a.yml", "").entries.empty());
        CHECK(testing::layer("a.yml", "# only a comment\n").entries.empty());
        CHECK(testing::layer("a.yml", "[]").entries.empty());
    }

    TEST_CASE("anything but a list at the top is an error with place and finding (field-121)") {
        for (const auto& [text, found] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"null", "found null"},
                 {"{}", "found a mapping"},
                 {"foo", "found the string 'foo'"},
                 {"a: 1", "found a mapping"}}) {
            CAPTURE(text);
            const std::string problems =
                problems_of([text = text] { static_cast<void>(testing::layer("a.yml", text)); });
            CHECK(contains(problems, "a.yml:1:1: error: must be a top-level YAML array"));
            CHECK(contains(problems, "expected a list"));
            CHECK(contains(problems, found));
        }
    }

    TEST_CASE("every entry that is no mapping is named by number and place (PAT-12)") {
        const std::string problems = problems_of([] {
            static_cast<void>(testing::layer("a.yml", "- {id: a}\n- text\n- null\n"));
        });

        CHECK(contains(problems, "a.yml:2:3: error: entry 2 in a.yml must be a mapping (a loader"));
        CHECK(contains(problems, "entry 3 in a.yml must be a mapping"));
    }
}

TEST_SUITE("compose() refuses") {
    TEST_CASE("two rows of one id, naming both places and the override form (field-124)") {
        const std::string problems = problems_in(
            {"- insert: [{id: storage, name: p}]", "- insert:\n    - id: storage\n      name: q"}
        );

        CHECK(contains(problems, "2.yml:2:11: error: row 'storage': duplicate loader entry id"));
        CHECK(contains(problems, "in layer '1.yml' at 1.yml:1:17"));
        CHECK(contains(problems, "`- id: storage`"));
    }

    TEST_CASE("two rows of one id although one of them is disabled (field-124)") {
        const std::string problems = problems_in(
            {"- insert: [{id: storage, name: p, disabled: true}]",
             "- insert: [{id: storage, name: q}]"}
        );

        CHECK(contains(problems, "duplicate loader entry id: storage"));
    }

    TEST_CASE("two rows of one id in different groups (DIF-L1)") {
        const std::string problems = problems_in(
            {"- insert:\n"
             "    - {id: g, name: 'cordis:group', config: [{id: x, name: p}]}\n"
             "    - {id: h, name: 'cordis:group', group: true, config: [{id: x, name: p}]}\n"}
        );

        CHECK(contains(problems, "duplicate loader entry id: x"));
    }

    TEST_CASE("a row without a name") {
        CHECK(contains(
            problems_in({"- insert: [{id: a, nam: p}]"}),
            "1.yml:1:17: error: row 'a': has no name, so no plugin"
        ));
    }

    TEST_CASE("a patch file given as the list of rows") {
        const std::string problems = problems_of([] {
            static_cast<void>(
                compose(testing::layer("root.yml", "- insert: [{id: a, name: p}]"), {})
            );
        });

        CHECK(contains(problems, "has no name"));
        CHECK(contains(problems, "Give this file as a patch"));
    }

    TEST_CASE("values of the wrong type, never taken as true or false (field-133)") {
        const std::string row = "- insert: [{name: p, ";
        const auto problems = [&](const char* key_and_value) {
            const std::string text = row + key_and_value + "}]";
            return problems_in({text});
        };

        CHECK(contains(
            problems("disabled: 'false'"), "found the string 'false'. Write `disabled: false`"
        ));
        CHECK(contains(problems("disabled: no"), "found the string 'no'. Write `disabled: false`"));
        CHECK(contains(
            problems("id: 1"), "expected a string, found the number 1. Quote it: `id: '1'`"
        ));
        CHECK(contains(problems("id: null"), "id: expected a string, found null"));
        CHECK(contains(problems("config: []"), "config: expected a mapping, found a list"));
        CHECK(contains(problems("config: text"), "config: expected a mapping"));
        CHECK(contains(problems("group: 1"), "group: expected true or false"));
        CHECK(contains(problems("inject: sandbox"), "inject: expected a list of service names"));
        CHECK(contains(problems("inject: [1]"), "inject[0]: expected the name of a service"));
        CHECK(contains(problems("isolate: {a: false}"), "isolate.a: expected true or a label"));
        CHECK(contains(problems("intercept: []"), "intercept: expected a mapping"));
    }

    TEST_CASE("an insert that is no list (field-133)") {
        CHECK(contains(
            problems_in({"- insert: {}"}),
            "1.yml:1:11: error: row: insert: expected a list, found a mapping"
        ));
    }

    TEST_CASE("inject with required and optional parts (PIT-20, field-140)") {
        const std::string problems =
            problems_in({"- insert: [{name: p, inject: {optional: [foo]}}]"});

        CHECK(contains(problems, "inject.optional: expected null or the service's settings"));
        CHECK(contains(problems, "leave out those that are optional"));
    }

    TEST_CASE("expressions where nothing would evaluate them (DIF-L6)") {
        const auto problems = [](const char* key_and_value) {
            const std::string text = std::string{"- insert:\n  - name: p\n    "} + key_and_value;
            return problems_in({text});
        };

        CHECK(contains(
            problems("id: !!js process.platform"), "`!!js` is evaluated only inside config"
        ));
        CHECK(contains(problems("group: !!js process.platform"), "found an expression"));
        CHECK(contains(
            problems("inject: [!!js process.platform]"), "inject[0]: expected the name of a service"
        ));
        CHECK(contains(problems("isolate: {a: !!js x}"), "isolate.a: expected true or a label"));
        CHECK(contains(
            problems("intercept: {a: {b: !!js x}}"),
            "intercept.a.b: an expression here would not be"
        ));
        CHECK(contains(problems("disabled: {when: !!js x}"), "disabled: expected true, false or"));
    }

    TEST_CASE("a group whose config is no list of rows") {
        CHECK(contains(
            problems_in({"- insert: [{id: g, name: 'cordis:group', config: {a: 1}}]"}),
            "row 'g': config: expected a list of rows"
        ));
        CHECK(contains(
            problems_in({"- insert: [{id: g, name: 'cordis:group', config: [text]}]"}),
            "expected a row, found the string 'text'"
        ));
    }

    TEST_CASE("rows that arrive with a replaced config of a group") {
        CHECK(contains(
            problems_in(
                {"- insert: [{id: g, name: 'cordis:group', group: true, config: []}]",
                 "- {id: g, config: [{id: x}]}"}
            ),
            "2.yml:1:25: error: row 'x': has no name"
        ));
    }

    TEST_CASE("everything at once, in one message") {
        const std::string problems =
            problems_in({"- insert: [{id: 1, name: p}, {id: b}]", "- insert: [{name: 3}]"});

        CHECK(contains(problems, "1.yml:1:17"));
        CHECK(contains(problems, "row 'b': has no name"));
        CHECK(contains(problems, "2.yml:1:19"));
    }

    TEST_CASE("nothing of what real files hold: group, isolate, inject, null config") {
        CHECK(
            problems_in({"- insert:\n"
                         "    - name: 'cordis:group'\n"
                         "      isolate: {fs: true, shell: shared}\n"
                         "      config: [{name: p, inject: [fs], config: null}]\n"
                         "    - {id: b, name: p, disabled: !!js 'process.platform === \"linux\"'}\n"
                         "    - {id: c, name: p, config: !!js 'JSON.parse(process.env.X)', inject: "
                         "{fs: {}}}\n"}) == ""
        );
    }
}
