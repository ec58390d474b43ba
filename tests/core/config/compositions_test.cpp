#include "../../support/skip.hpp"
#include "../../support/temporary_folder.hpp"
#include "cases.hpp"
#include "support.hpp"

#include <cordon/config/json.hpp>
#include <cordon/config/yaml.hpp>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace cordon::testing {
namespace {

std::vector<std::filesystem::path> composition_files(const std::filesystem::path& cases) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{cases / "compositions"}) {
        std::filesystem::path golden = entry.path();
        golden.replace_extension(".json");
        if (entry.path().extension() == ".yml" && std::filesystem::exists(golden)) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

boost::json::object golden_parse(std::filesystem::path file) {
    file.replace_extension(".json");
    return boost::json::parse(read_file(file)).at("parse").as_object();
}

TEST_SUITE("compositions of other projects") {
    TEST_CASE("each file gives the value that js-yaml gives, or is refused by both") {
        const auto cases = cases_folder();
        if (!cases) {
            CORDON_SKIP("no collected compositions here: set CORDON_CASES");
        }
        const std::vector<std::filesystem::path> files = composition_files(*cases);
        CHECK(files.size() >= 399);
        for (const std::filesystem::path& file : files) {
            CAPTURE(file.filename().string());
            const boost::json::object golden = golden_parse(file);
            std::optional<Value> value;
            const auto problems = problems_of([&] { value = read_yaml(file); });
            CAPTURE(to_string(problems));
            CHECK(problems.empty() == golden.contains("value"));
            if (value && golden.contains("value")) {
                CHECK(*value == from_json(golden.at("value")));
            }
        }
    }

    TEST_CASE("each file that is read survives being written and read again") {
        const auto cases = cases_folder();
        if (!cases) {
            CORDON_SKIP("no collected compositions here: set CORDON_CASES");
        }
        for (const std::filesystem::path& file : composition_files(*cases)) {
            CAPTURE(file.filename().string());
            if (!golden_parse(file).contains("value")) {
                continue;
            }
            const std::optional<Value> value = read_yaml(file);
            REQUIRE(value.has_value());
            CHECK(parsed(emit_yaml(*value)) == *value);
        }
    }
}

}  // namespace
}  // namespace cordon::testing
