#include "commands.hpp"
#include "json_output.hpp"
#include "policy.hpp"

#include <cordon/config/decode.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/config/json.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/describe.hpp>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace cordon::cli {

/// What `--scope` may replace.
struct EvalScope {
    std::optional<std::map<std::string, std::string>> environment;
    std::optional<std::string> platform;
    std::optional<std::string> cwd;
    std::map<std::string, Value> services;
};
BOOST_DESCRIBE_STRUCT(EvalScope, (), (environment, platform, cwd, services))

namespace {

ExpressionScope scope_of(const Options& options) {
    const std::filesystem::path folder = current_folder();
    ExpressionScope scope = process_scope(options.global.composition.environment, folder, folder);
    EvalScope given;
    if (options.eval_scope) {
        given = decode<EvalScope>(read_yaml(*options.eval_scope).value_or(Value{}), "scope");
    }
    if (given.environment) {
        scope.environment = {given.environment->begin(), given.environment->end()};
    }
    scope.platform = given.platform.value_or(scope.platform);
    scope.cwd = given.cwd.value_or(scope.cwd);
    scope.service = [services = given.services](std::string_view name) {
        const auto found = services.find(std::string{name});
        return found == services.end() ? std::nullopt : std::optional<Value>{found->second};
    };
    return scope;
}

}  // namespace

int eval_command(const Options& options) {
    Mark mark;
    mark.file = std::make_shared<const std::string>("EXPR");
    mark.line = 1;
    mark.column = 1;
    const Expression expression{options.expression};
    const std::optional<Value> value = evaluate(expression, mark, scope_of(options));
    if (options.global.json) {
        boost::json::object document;
        if (value) {
            document.emplace("value", to_json(*value));
        }
        print_document(document);
    } else if (value) {
        print_to(stdout, "{}\n", boost::json::serialize(to_json(*value)));
    } else {
        print_to(stdout, "undefined\n");
    }
    return 0;
}

}  // namespace cordon::cli
