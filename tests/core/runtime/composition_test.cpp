#include <cordon/base/diagnostic.hpp>
#include <cordon/runtime/composition.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <support/temporary_folder.hpp>

using cordon::ComposedDeployment;
using cordon::ComposedRow;
using cordon::CompositionOptions;
using cordon::testing::TemporaryFolder;

namespace {

std::vector<std::string> row_ids(const ComposedDeployment& deployment) {
    std::vector<std::string> ids;
    for (const ComposedRow& row : deployment.composition.rows) {
        const cordon::Object* object = row.row.as_object();
        ids.push_back(object->find("id") ? *object->find("id")->as_string() : "");
    }
    return ids;
}

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

TEST_SUITE("compose_deployment") {
    TEST_CASE("the bundle base is what an empty choice starts from") {
        const auto ids = row_ids(cordon::compose_deployment({}));
        CHECK(contains(ids, "sandbox"));
        CHECK(contains(ids, "bash"));
    }

    TEST_CASE("an entry list stands alone, and still knows the names and defaults of base") {
        const TemporaryFolder folder;
        CompositionOptions options;
        options.config = folder.write("app/cordis.yml", "- id: only\n  name: x\n");
        const ComposedDeployment deployment = cordon::compose_deployment(options);
        CHECK(row_ids(deployment) == std::vector<std::string>{"only"});
        CHECK(deployment.base_folder == folder.path() / "app");
        CHECK_FALSE(deployment.aliases.empty());
        CHECK(deployment.defaults.at("subprocess") == "subprocess-local");
    }

    TEST_CASE("an entry list and a bundle that was asked for are both there") {
        const TemporaryFolder folder;
        CompositionOptions options;
        options.config = folder.write("cordis.yml", "- id: mine\n  name: x\n");
        options.bundles = std::vector<std::string>{"base"};
        const auto ids = row_ids(cordon::compose_deployment(options));
        CHECK(ids.front() == "mine");
        CHECK(contains(ids, "bash"));
    }

    TEST_CASE("patches apply in order, after the bundles") {
        const TemporaryFolder folder;
        CompositionOptions options;
        options.patches = {
            folder.write("1.yml", "- insert: [{id: added, name: first}]\n"),
            folder.write("2.yml", "- {id: added, disabled: true}\n")};
        const auto deployment = cordon::compose_deployment(options);
        const ComposedRow& added = deployment.composition.rows.back();
        CHECK(added.origin == (folder.path() / "1.yml").string());
        CHECK(added.patched_by == std::vector<std::string>{(folder.path() / "2.yml").string()});
        CHECK(*added.row.as_object()->find("disabled")->as_boolean());
    }

    TEST_CASE(
        "an empty or comments-only patch is an empty layer (spec README decision 2, field-121)"
    ) {
        const TemporaryFolder folder;
        CompositionOptions options;
        options.patches = {folder.write("1.yml", ""), folder.write("2.yml", "# nothing\n")};
        CHECK(cordon::compose_deployment(options).composition.warnings.empty());
    }

    TEST_CASE(
        "plugins are looked for in the given folders, those of the environment, and the installed"
    ) {
        CompositionOptions options;
        options.plugin_path = {"/first"};
        options.environment["CORDON_PLUGIN_PATH"] = "/second::/third";
        const auto path = cordon::compose_deployment(options).plugin_path;
        REQUIRE(path.size() == 4);
        CHECK(path[0] == "/first");
        CHECK(path[1] == "/second");
        CHECK(path[2] == "/third");
        CHECK(path[3] == cordon::installed_layout().plugins);
    }

    TEST_CASE("a file that was named and cannot be read is an error (field-120)") {
        const TemporaryFolder folder;
        CompositionOptions options;
        options.patches = {folder.path() / "missing.yml"};
        CHECK_THROWS_AS(
            static_cast<void>(cordon::compose_deployment(options)), cordon::DiagnosticError
        );
    }
}
