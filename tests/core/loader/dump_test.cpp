#include "layers.hpp"

#include <cordon/loader/patch.hpp>

#include <doctest/doctest.h>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::compose_texts;
using testing::contains;
using testing::rows_of;
using testing::yaml;

TEST_SUITE("dump()") {
    TEST_CASE("heads each run of rows with its origin and the layers that changed it (BOOT-24)") {
        const Composition composition = compose_texts(
            {"- insert: [{id: a, name: p}, {id: b, name: p}, {id: c, name: p}]",
             "- {id: b, disabled: true}",
             "- {id: b, config: {x: 1}}\n- insert: [{id: d, name: p}]"}
        );

        const std::string text = dump(composition);

        const std::size_t first = text.find("# == 1.yml\n");
        const std::size_t second = text.find("# == 1.yml, patched by 2.yml, 3.yml\n");
        const std::size_t third = text.find("# == 1.yml\n", second);
        const std::size_t fourth = text.find("# == 3.yml\n");
        CHECK(first == 0);
        CHECK(second < third);
        CHECK(third < fourth);
        CHECK(fourth != std::string::npos);
    }

    TEST_CASE("is one document that reads back as the same rows, expressions kept") {
        const Composition composition = compose_texts(
            {"- insert:\n"
             "    - id: policy\n"
             "      name: '@qilin-agent/sandbox-policy'\n"
             "      config: {mode: workspace-write, workspaceRoot: !!js process.cwd()}\n"
             "    - {id: g, name: 'cordis:group', group: true, config: [{id: i, name: ./x.so}]}\n",
             "- {id: i, disabled: !!js \"process.platform === 'win32'\"}"}
        );

        const std::string text = dump(composition);

        CHECK(contains(text, "!!js process.cwd()"));
        CHECK(yaml(text) == rows_of(composition));
    }

    TEST_CASE("of nothing is an empty list") {
        CHECK(yaml(dump(compose_texts({}))) == yaml("[]"));
    }

    TEST_CASE("does not give ids to rows that have none") {
        CHECK_FALSE(contains(dump(compose_texts({"- insert: [{name: p}]"})), "id:"));
    }

    TEST_CASE("a label cannot end its comment") {
        const Layer odd = make_layer(
            "odd\n- id: injected", "odd", parse_yaml("- insert: [{id: a, name: p}]", "odd")
        );

        CHECK(yaml(dump(compose(Layer{"root", {}}, {odd}))) == yaml("[{id: a, name: p}]"));
    }
}

TEST_SUITE("provenance") {
    TEST_CASE("a patch that was skipped or changed nothing does not count") {
        const Composition composition = compose_texts(
            {"- insert: [{id: a, name: p, disabled: true}]",
             "- {id: a, name: other, disabled: false}",
             "- {id: a, disabled: true}"}
        );

        CHECK(composition.rows[0].origin == "1.yml");
        CHECK(composition.rows[0].patched_by.empty());
    }

    TEST_CASE("a change inside a group counts for its top-level row") {
        const Composition composition = compose_texts(
            {"- insert: [{id: g, name: 'cordis:group', group: true, config: [{id: i, name: p}]}]",
             "- {id: i, disabled: true}",
             "- {id: g, insert: [{id: j, name: p}]}"}
        );

        CHECK(composition.rows[0].patched_by == std::vector<std::string>{"2.yml", "3.yml"});
    }

    TEST_CASE("a layer that changes the rows it inserted itself is only their origin") {
        const Composition composition =
            compose_texts({"- insert: [{id: a, name: p}]\n- {id: a, disabled: true}"});

        CHECK(composition.rows[0].patched_by.empty());
    }
}
