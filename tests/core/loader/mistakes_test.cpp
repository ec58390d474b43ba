#include "layers.hpp"

#include <cordon/loader/patch.hpp>

#include <doctest/doctest.h>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::compose_texts;
using testing::problems_in;
using testing::warnings_in;

// What people get wrong when they write a composition. Each mistake has one message, whole, from
// which it can be put right; the mistakes that only a boot finds are pinned in
// boot_failure_test.cpp.
TEST_SUITE("a mistake in a composition") {
    TEST_CASE("a bare row that was meant as an insert") {
        CHECK(
            warnings_in({"- id: bash\n  name: ./bash.so"}) ==
            "1.yml:1:7: warning: patch: entry \"bash\" not found. To add a row instead of changing "
            "one, write it below `insert:`: `- insert: [{id: bash, name: './bash.so'}]`."
        );
        CHECK(
            warnings_in({"- name: ./bash.so"}) ==
            "1.yml:1:3: warning: patch: id is required for non-insert patches. To add a row, "
            "write it below `insert:`."
        );
    }

    TEST_CASE("one id in two layers") {
        CHECK(
            problems_in(
                {"- insert: [{id: storage, name: p}]",
                 "- insert:\n    - id: storage\n      name: q"}
            ) ==
            "2.yml:2:11: error: row 'storage': duplicate loader entry id: storage; it was "
            "first used in layer '1.yml' at 1.yml:1:17. Give this row another id, or change "
            "the first one with an override, which has no `insert`: `- id: storage` and the "
            "keys to replace."
        );
    }

    TEST_CASE("an unquoted conditional") {
        CHECK(
            testing::problems_of([] {
                static_cast<void>(testing::layer(
                    "a.yml", "- id: a\n  config:\n    port: !!js process.env.PORT ? 1 : 2\n"
                ));
            }) ==
            "a.yml:3:11: error: expected one text behind '!!js', found characters that YAML "
            "itself reads. Quote the whole expression: !!js \"process.env.PORT ? 1 : 2\"."
        );
    }

    TEST_CASE("a mistyped key") {
        CHECK(
            warnings_in({"- insert: [{id: a, name: p, disable: true}]"}) ==
            "1.yml:1:29: warning: row 'a': unknown key 'disable' has no effect. Perhaps "
            "`disabled` is meant."
        );
    }

    TEST_CASE("a plugin's name in place of the row's id") {
        CHECK(
            warnings_in(
                {"- insert: [{id: jobs, name: '@example/jobs-local'}]",
                 "- {id: '@example/jobs-local', disabled: true}"}
            ) ==
            "2.yml:1:8: warning: patch: entry \"@example/jobs-local\" not found. "
            "'@example/jobs-local' is the plugin of row 'jobs'; patch that id."
        );
    }

    TEST_CASE("a restated config that loses keys") {
        const std::string_view base = "- insert: [{id: a, name: p, config: {x: 1, y: 2, z: ~}}]";
        CHECK(
            warnings_in({base, "- id: a\n  config: {x: 3}"}) ==
            "2.yml:2:11: warning: config of row 'a' is replaced as a whole and loses: y (set "
            "at 1.yml:1:37). Repeat those keys, or set them to null if their defaults are "
            "meant."
        );
        CHECK(warnings_in({base, "- id: a\n  config: {x: 3, y: ~}"}).empty());
        CHECK(warnings_in({base, "- id: a\n  config: {}"}).empty());
        CHECK(warnings_in({base, "- id: a\n  config: ~"}).empty());
    }

    TEST_CASE("a file with nothing in it is no mistake, one that says null is") {
        CHECK(warnings_in({"", "# later\n"}).empty());
        CHECK(compose_texts({"", "# later\n"}).rows.empty());
        CHECK(
            problems_in({"null"}) ==
            "1.yml:1:1: error: must be a top-level YAML array of loader patch entries: "
            "expected a list, found null. Write `[]` for a layer without entries."
        );
    }
}
