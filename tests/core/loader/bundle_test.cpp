#include "layers.hpp"

#include <cordon/loader/bundle.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

#include <support/temporary_folder.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
using testing::contains;
using testing::problems_of;
using testing::TemporaryFolder;

namespace {

std::string problems_of_bundle(const char* manifest) {
    const TemporaryFolder folder;
    folder.write("b/bundle.yml", manifest);
    folder.write("b/cordis.patch.yml", "[]");
    return problems_of([&] { static_cast<void>(load_bundle("b", {folder.path()})); });
}

}  // namespace

TEST_SUITE("load_bundle()") {
    TEST_CASE("reads name, aliases in order, defaults and the patch file") {
        const TemporaryFolder folder;
        folder.write(
            "b/bundle.yml",
            "name: mine\npatch: rows.yml\naliases:\n  - '@x/special': other\n  - '@x/*': '*'\n"
            "defaults: {subprocess: subprocess-local}\n"
        );
        folder.write("b/rows.yml", "- insert: [{id: a, name: p}]");

        const Bundle bundle = load_bundle("b", {folder.path() / "none", folder.path()});

        CHECK(bundle.name == "mine");
        CHECK(bundle.folder == folder.path() / "b");
        CHECK(bundle.layer.label == "mine");
        CHECK(bundle.layer.entries.size() == 1);
        REQUIRE(bundle.aliases.size() == 2);
        CHECK(bundle.aliases[0] == std::pair<std::string, std::string>{"@x/special", "other"});
        CHECK(bundle.defaults.at("subprocess") == "subprocess-local");
    }

    TEST_CASE("changes no file, not even one that is wrong (field-125)") {
        const TemporaryFolder folder;
        const std::string text =
            "# mine\n- insert: [{id: a, name: p, config: [[1]]}, {id: a, name: p}]";
        folder.write("b/bundle.yml", "name: mine");
        const auto file = folder.write("b/cordis.patch.yml", text);
        const auto written = std::filesystem::last_write_time(file);

        CHECK_THROWS_AS(
            static_cast<void>(compose(Layer{"root", {}}, {load_bundle("b", {folder.path()}).layer})
            ),
            DiagnosticError
        );

        CHECK(testing::read_file(file) == text);
        CHECK(std::filesystem::last_write_time(file) == written);
    }

    TEST_CASE("takes a name with a slash for a folder") {
        const TemporaryFolder folder;
        folder.write("b/bundle.yml", "name: mine");
        folder.write("b/cordis.patch.yml", "[]");

        CHECK(load_bundle(folder.path() / "b", {}).name == "mine");
    }

    TEST_CASE("names every place tried and the nearest bundle") {
        const TemporaryFolder folder;
        folder.write("base/bundle.yml", "name: base");

        const std::string problems =
            problems_of([&] { static_cast<void>(load_bundle("baze", {folder.path()})); });

        CHECK(contains(problems, "bundle 'baze': not found; tried " + folder.path().string()));
        CHECK(contains(problems, "Perhaps 'base' is meant"));
    }

    TEST_CASE("refuses a manifest that says something it cannot mean") {
        CHECK(contains(problems_of_bundle("name: b\naliasses: {}"), "Perhaps `aliases` is meant"));
        CHECK(contains(problems_of_bundle("patch: cordis.patch.yml"), "the bundle has no name"));
        CHECK(contains(problems_of_bundle("name: 1"), "name: expected a string"));
        CHECK(contains(problems_of_bundle("[]"), "expected a mapping, found a list"));
        CHECK(contains(problems_of_bundle(""), "expected a mapping, found nothing"));
        CHECK(contains(problems_of_bundle("name: b\naliases: {'a*b': c}"), "only at the end"));
        CHECK(contains(problems_of_bundle("name: b\naliases: {a: '*'}"), "a `*` too many"));
        CHECK(contains(problems_of_bundle("name: b\ndefaults: [a]"), "defaults: expected services")
        );
        CHECK(contains(problems_of_bundle("name: b\npatch: none.yml"), "none.yml"));
    }
}

TEST_SUITE("the base bundle") {
    TEST_CASE("brings a confined shell and knows the plugins of other hosts by name") {
        const char* source = std::getenv("CORDON_TEST_SOURCE");
        REQUIRE(source != nullptr);

        const Bundle base = load_bundle("base", {std::filesystem::path{source} / "bundles"});
        const Composition composition = compose(Layer{"root", {}}, {base.layer});

        CHECK(composition.warnings.empty());
        REQUIRE(composition.rows.size() == 4);
        CHECK(contains(dump(composition), "workspaceRoot: !!js process.cwd()"));
        CHECK(base.aliases.size() == 3);
    }
}
