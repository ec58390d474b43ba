#include "layers.hpp"

#include <cordon/loader/patch.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include <support/skip.hpp>
#include <support/temporary_folder.hpp>

using namespace cordon;  // NOLINT(google-build-using-namespace)
namespace json = boost::json;

namespace {

/// Real compositions with the result the reference gives for each as a layer over its two bundles.
/// They are not part of the project.
std::filesystem::path corpus() {
    if (const char* cases = std::getenv("CORDON_CASES")) {
        return std::filesystem::path{cases} / "compositions";
    }
    const char* source = std::getenv("CORDON_TEST_SOURCE");
    return std::filesystem::path{source == nullptr ? "." : source} / "../shared/cases/compositions";
}

Value from_json(const json::value& value) {
    if (const json::array* items = value.if_array()) {
        Value::Array array;
        for (const json::value& item : *items) {
            array.push_back(from_json(item));
        }
        return Value{std::move(array)};
    }
    if (const json::object* members = value.if_object()) {
        if (const json::value* source = members->if_contains("__jsExpr")) {
            return Value{Expression{std::string{source->as_string()}}};
        }
        Object object;
        for (const auto& [key, member] : *members) {
            object.set(key, from_json(member));
        }
        return Value{std::move(object)};
    }
    if (const json::string* text = value.if_string()) {
        return Value{std::string{*text}};
    }
    if (value.is_number()) {
        return Value{value.to_number<double>()};
    }
    return value.is_bool() ? Value{value.as_bool()} : Value{};
}

Layer read_layer(const std::filesystem::path& file) {
    const std::string name = file.filename();
    return testing::layer(name, testing::read_file(file));
}

/// The warnings of the contract; ours about unknown keys come in addition.
std::vector<std::string> patch_warnings(const Composition& composition) {
    std::vector<std::string> texts;
    for (const Diagnostic& warning : composition.warnings) {
        if (warning.problem.starts_with("patch")) {
            texts.push_back(warning.problem);
        }
    }
    return texts;
}

std::set<std::string> ids_of(const Composition& composition) {
    std::set<std::string> ids;
    for (const ComposedRow& row : composition.rows) {
        const Value* id = row.row.as_object()->find("id");
        ids.insert(id == nullptr ? "" : *id->as_string());
    }
    return ids;
}

struct Expected {
    std::vector<std::string> warnings;
    /// Ids of the new rows; null for a row without one.
    Value::Array appended;
    /// Whole rows that are new or other than before.
    Value::Array changed;
    /// Some id is inserted a second time, which the reference finds at mount and we in composing.
    bool duplicates = false;
};

Expected read_expected(const json::object& result, const std::set<std::string>& known) {
    Expected expected;
    for (const json::value& warning : result.at("warnings").as_array()) {
        expected.warnings.emplace_back(warning.as_string());
    }
    std::set<std::string> seen = known;
    expected.appended = *from_json(result.at("appended")).as_array();
    for (const Value& id : expected.appended) {
        expected.duplicates |= !id.is_null() && !seen.insert(*id.as_string()).second;
    }
    expected.changed = *from_json(result.at("changed")).as_array();
    return expected;
}

void check_rows(const Composition& result, const Composition& before, const Expected& expected) {
    Value::Array changed;
    Value::Array appended;
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
        const Value& row = result.rows[i].row;
        if (i >= before.rows.size()) {
            const Value* id = row.as_object()->find("id");
            appended.push_back(id == nullptr ? Value{} : *id);
        }
        if (i >= before.rows.size() || row != before.rows[i].row) {
            changed.push_back(row);
        }
    }
    CHECK(changed == expected.changed);
    CHECK(appended == expected.appended);
    CHECK(patch_warnings(result) == expected.warnings);
}

}  // namespace

TEST_CASE("real compositions give the rows and warnings that the reference gives") {
    const std::filesystem::path folder = corpus();
    if (!std::filesystem::exists(folder)) {
        CORDON_SKIP("no corpus of compositions beside the project and in CORDON_CASES");
    }
    const std::vector<Layer> bundles{
        read_layer(folder / "base.patch.yml"), read_layer(folder / "web-app.patch.yml")};
    const Composition before = compose(Layer{"root", {}}, bundles);
    std::size_t compared = 0;

    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        const std::string name = entry.path().stem();
        CAPTURE(name);
        const json::value golden = json::parse(testing::read_file(entry.path()));
        const json::object& over = golden.at("over_base_and_web").as_object();
        if (!over.contains("warnings")) {
            CHECK_THROWS_AS(read_layer(folder / (name + ".yml")), DiagnosticError);
            continue;
        }
        const Expected expected = read_expected(over, ids_of(before));
        std::vector<Layer> layers = bundles;
        layers.push_back(read_layer(folder / (name + ".yml")));
        const std::string problems = testing::problems_of([&] {
            check_rows(compose(Layer{"root", {}}, layers), before, expected);
        });
        CHECK(problems.empty() != expected.duplicates);
        CHECK(problems.empty() != testing::contains(problems, "duplicate loader entry id"));
        ++compared;
    }

    CHECK(compared > 300);
}
