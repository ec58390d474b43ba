#include "layers.hpp"

#include <cordon/loader/patch.hpp>

#include <doctest/doctest.h>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::compose_texts;
using testing::contains;
using testing::rows_of;
using testing::warnings_in;
using testing::yaml;

namespace {

constexpr std::string_view kTwoRows = R"(
- insert:
    - id: a
      name: plugin-a
      config: {x: 1, y: 2}
    - id: g
      name: cordis:group
      group: true
      config:
        - {id: inner, name: plugin-i}
)";

}  // namespace

TEST_SUITE("patches") {
    TEST_CASE("insert without id appends rows to the top-level list (PAT-3)") {
        const Composition result = compose_texts({kTwoRows, "- insert: [{id: b, name: plugin-b}]"});

        REQUIRE(result.rows.size() == 3);
        CHECK(result.rows[2].row == yaml("{id: b, name: plugin-b}"));
        CHECK(result.warnings.empty());
    }

    TEST_CASE("insert with the id of a group appends to its config (PAT-3)") {
        const Composition result =
            compose_texts({kTwoRows, "- {id: g, insert: [{id: late, name: p}]}"});

        CHECK(
            result.rows[1].row == yaml("{id: g, name: 'cordis:group', group: true, "
                                       "config: [{id: inner, name: plugin-i}, {id: late, name: p}]}"
                                  )
        );
    }

    TEST_CASE("insert into a group without a config makes one") {
        const Composition result = compose_texts(
            {"- insert: [{id: g, name: 'cordis:group', group: true}]",
             "- {id: g, insert: [{id: late, name: p}]}"}
        );

        CHECK(
            rows_of(result) ==
            yaml("[{id: g, name: 'cordis:group', group: true, config: [{id: late, name: p}]}]")
        );
    }

    TEST_CASE("an override replaces whole keys and leaves the others alone (PAT-2)") {
        const Composition result =
            compose_texts({kTwoRows, "- {id: a, config: {z: 3}}", "- {id: a, disabled: true}"});

        CHECK(
            result.rows[0].row == yaml("{id: a, name: plugin-a, config: {z: 3}, disabled: true}")
        );
    }

    TEST_CASE("null is stored as null (PAT-8)") {
        const Composition result = compose_texts({kTwoRows, "- {id: a, config: null}"});

        CHECK(result.rows[0].row == yaml("{id: a, name: plugin-a, config: null}"));
    }

    TEST_CASE("a later patch reaches a row that an earlier one inserted (PAT-5, field-123)") {
        const Composition result =
            compose_texts({"- insert: [{id: added, name: ./c.so}]\n- {id: added, disabled: true}"});

        CHECK(rows_of(result) == yaml("[{id: added, name: ./c.so, disabled: true}]"));
        CHECK(result.warnings.empty());
    }

    TEST_CASE("a row inside a group is reached by its own id") {
        const Composition result = compose_texts({kTwoRows, "- {id: inner, disabled: true}"});

        CHECK(contains(dump(result), "inner"));
        CHECK(
            result.rows[1].row == yaml("{id: g, name: 'cordis:group', group: true, "
                                       "config: [{id: inner, name: plugin-i, disabled: true}]}")
        );
    }

    TEST_CASE("rows of a group without the flag are out of reach (PAT-4)") {
        const std::string warnings = warnings_in(
            {"- insert: [{id: g, name: 'cordis:group', config: [{id: inner, name: p}]}]",
             "- {id: inner, disabled: true}\n- {id: g, insert: [{id: b, name: p}]}"}
        );

        CHECK(contains(warnings, "2.yml:1:8: warning: patch: entry \"inner\" not found"));
        CHECK(contains(warnings, "patch insert: entry \"g\" is not a group. Add `group: true`"));
    }

    TEST_CASE("an equal name is an assertion and changes nothing (PAT-6)") {
        const Composition result =
            compose_texts({kTwoRows, "- {id: a, name: plugin-a, disabled: true}"});

        CHECK(result.warnings.empty());
        CHECK(*result.rows[0].row.as_object()->find("disabled") == Value{true});
    }

    TEST_CASE("another name skips the whole patch with the text of the contract (PAT-6, PAT-7)") {
        const Composition result =
            compose_texts({kTwoRows, "- {id: a, name: other, disabled: true}"});

        REQUIRE(result.warnings.size() == 1);
        CHECK(
            result.warnings[0].problem ==
            "patch: name mismatch for \"a\" (expected \"plugin-a\", got \"other\"), skipping"
        );
        CHECK(result.rows[0].row.as_object()->find("disabled") == nullptr);
    }

    TEST_CASE("patches that cannot apply warn with the texts of the contract (PAT-7)") {
        const Composition result = compose_texts(
            {kTwoRows,
             "- {id: none, disabled: true}\n- {id: none, insert: []}\n- {disabled: true}\n"
             "- {id: a, insert: []}"}
        );

        REQUIRE(result.warnings.size() == 4);
        CHECK(result.warnings[0].problem == "patch: entry \"none\" not found");
        CHECK(result.warnings[1].problem == "patch insert: entry \"none\" not found");
        CHECK(result.warnings[2].problem == "patch: id is required for non-insert patches");
        CHECK(result.warnings[3].problem == "patch insert: entry \"a\" is not a group");
        CHECK(result.warnings[0].place == Place{"2.yml", 1, 8});
    }

    TEST_CASE("a warning names the layer where that is not the file (BOOT-25)") {
        const Layer bundle = make_layer(
            "base", "/b/cordis.patch.yml", parse_yaml("- {id: none}", "/b/cordis.patch.yml")
        );

        const Composition result = compose(Layer{"root", {}}, {bundle});

        REQUIRE(result.warnings.size() == 1);
        CHECK(
            to_string(result.warnings[0]) ==
            "/b/cordis.patch.yml:1:8: warning: [base]: patch: entry \"none\" not found"
        );
    }

    TEST_CASE("a row written as an override is told the insert form (field-122)") {
        const std::string warnings = warnings_in({"- id: bash\n  name: ./bash.so"});

        CHECK(contains(warnings, "1.yml:1:7: warning: patch: entry \"bash\" not found"));
        CHECK(contains(warnings, "`- insert: [{id: bash, name: './bash.so'}]`"));
    }

    TEST_CASE("a patch to a plugin's name is told the row's id") {
        const std::string warnings = warnings_in(
            {"- insert: [{id: jobs, name: '@deepseek-ai/dsh-jobs-local'}]",
             "- {id: jobs-local, disabled: true}"}
        );

        CHECK(contains(warnings, "'jobs-local' is the plugin of row 'jobs'; patch that id"));
    }

    TEST_CASE("a mistyped id is told the nearest one") {
        const std::string warnings =
            warnings_in({"- insert: [{id: sandbox, name: p}]", "- {id: sandbx, disabled: true}"});

        CHECK(contains(warnings, "Perhaps row 'sandbox' is meant."));
    }

    TEST_CASE("an empty insert does nothing and a null one is an ordinary patch") {
        const Composition result =
            compose_texts({kTwoRows, "- insert: []\n- {id: a, insert: null, disabled: true}"});

        CHECK(result.rows.size() == 2);
        CHECK(*result.rows[0].row.as_object()->find("disabled") == Value{true});
        CHECK(result.rows[0].row.as_object()->find("insert") == nullptr);
    }

    TEST_CASE("keys beside insert are ignored and said to be") {
        const Composition result =
            compose_texts({kTwoRows, "- {id: g, insert: [], disabled: true}"});

        CHECK(result.rows[1].row.as_object()->find("disabled") == nullptr);
        REQUIRE(result.warnings.size() == 1);
        CHECK(contains(result.warnings[0].problem, "key 'disabled' is ignored beside insert"));
    }

    TEST_CASE("rows that came with a replaced group config are not addressable") {
        const Composition result = compose_texts(
            {kTwoRows, "- {id: g, config: [{id: fresh, name: p}]}", "- {id: fresh, disabled: true}"}
        );

        CHECK(contains(dump(result), "fresh"));
        REQUIRE(result.warnings.size() == 1);
        CHECK(result.warnings[0].problem == "patch: entry \"fresh\" not found");
    }

    TEST_CASE("a patch to a row that a replaced config dropped changes nothing and says so") {
        const Composition result = compose_texts(
            {kTwoRows, "- {id: g, config: [{id: fresh, name: p}]}", "- {id: inner, disabled: true}"}
        );

        CHECK(
            result.rows[1].row ==
            yaml("{id: g, name: 'cordis:group', group: true, config: [{id: fresh, name: p}]}")
        );
        REQUIRE(result.warnings.size() == 1);
        CHECK(contains(result.warnings[0].problem, "the patch changes nothing"));
    }

    TEST_CASE("insert after a replaced config appends to the new rows") {
        const Composition result = compose_texts(
            {kTwoRows,
             "- {id: g, config: [{id: fresh, name: p}]}\n- {id: g, insert: [{id: more, name: q}]}\n"
             "- {id: more, disabled: true}"}
        );

        CHECK(
            result.rows[1].row ==
            yaml("{id: g, name: 'cordis:group', group: true, "
                 "config: [{id: fresh, name: p}, {id: more, name: q, disabled: true}]}")
        );
    }

    TEST_CASE(
        "the inputs are not changed, so one parsed layer serves many compositions (PAT-11, DIF-L4)"
    ) {
        const Layer first = testing::layer("1.yml", "- insert: [{id: a, name: p}]");
        const Layer second = testing::layer("2.yml", "- {id: a, disabled: true}");

        static_cast<void>(compose(Layer{"root", {}}, {first, second}));
        const Composition again = compose(Layer{"root", {}}, {first});

        CHECK(rows_of(again) == yaml("[{id: a, name: p}]"));
    }

    TEST_CASE("patches work on a copy in their order, and the result shares nothing (PAT-1)") {
        const Layer base = testing::layer("root.yml", "- {id: a, name: p, config: {x: 1}}");
        const Layer first = testing::layer("1.yml", "- {id: a, config: {x: 2}}");
        const Layer second = testing::layer("2.yml", "- {id: a, config: {x: 3}}");

        CHECK(
            rows_of(compose(base, {first, second})) == yaml("[{id: a, name: p, config: {x: 3}}]")
        );
        CHECK(
            rows_of(compose(base, {second, first})) == yaml("[{id: a, name: p, config: {x: 2}}]")
        );
        Composition untouched = compose(base, {});
        untouched.rows[0].row.as_object()->find("config")->as_object()->set("x", 9);
        CHECK(rows_of(compose(base, {})) == yaml("[{id: a, name: p, config: {x: 1}}]"));
        CHECK(base.entries[0] == yaml("{id: a, name: p, config: {x: 1}}"));
    }

    TEST_CASE("a dump mounts as what it was made of (PAT-10)") {
        const Composition result = compose_texts(
            {kTwoRows,
             "- {id: a, config: {z: !!js process.platform}}\n- {id: inner, disabled: true}"}
        );
        const Composition again = compose(testing::layer("dump.yml", dump(result)), {});

        CHECK(rows_of(again) == rows_of(result));
        CHECK(again.warnings.empty());
    }

    TEST_CASE("unknown keys are kept and warned about with the nearest one (decision 5)") {
        const Composition result =
            compose_texts({"- insert: [{id: a, name: p, label: 'A', disable: true}]"});

        CHECK(rows_of(result) == yaml("[{id: a, name: p, label: 'A', disable: true}]"));
        REQUIRE(result.warnings.size() == 2);
        CHECK(result.warnings[0].problem == "unknown key 'label' has no effect");
        CHECK(result.warnings[1].hint == "Perhaps `disabled` is meant");
    }
}
