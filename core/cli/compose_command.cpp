#include "commands.hpp"
#include "json_output.hpp"

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/json.hpp>
#include <cordon/runtime/composition.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace cordon::cli {
namespace {

namespace json = boost::json;

void print_json(const Composition& composition) {
    json::array rows;
    for (const ComposedRow& row : composition.rows) {
        rows.push_back(to_json(row.row));
    }
    json::array warnings;
    for (const Diagnostic& warning : composition.warnings) {
        warnings.emplace_back(describe(warning));
    }
    const json::object document{{"rows", std::move(rows)}, {"warnings", std::move(warnings)}};
    print_document(document);
}

}  // namespace

int compose_command(const Options& options) {
    const ComposedDeployment deployment = compose_deployment(options.global.composition);
    if (options.global.json) {
        print_json(deployment.composition);
        return 0;
    }
    for (const Diagnostic& warning : deployment.composition.warnings) {
        print_to(stderr, "cordon: {}\n", to_string(warning));
    }
    print_to(stdout, "{}", dump(deployment.composition));
    return 0;
}

}  // namespace cordon::cli
