#include "commands.hpp"
#include "exit_code.hpp"
#include "json_output.hpp"
#include "policy.hpp"

#include <cordon/base/diagnostic.hpp>
#include <cordon/runtime/check.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace cordon::cli {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

std::vector<Diagnostic> diagnostics_of(const GlobalOptions& options) {
    asio::io_context io{1};
    BootOptions boot;
    boot.composition = options.composition;
    boot.cwd = current_folder();
    std::vector<Diagnostic> found;
    std::exception_ptr failure;
    auto on_end = [&](const std::exception_ptr& thrown, std::vector<Diagnostic> diagnostics) {
        failure = thrown;
        found = std::move(diagnostics);
    };
    asio::co_spawn(io, check_deployment(io.get_executor(), std::move(boot)), std::move(on_end));
    io.run();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return found;
}

json::object to_json(const Diagnostic& diagnostic) {
    return json::object{
        {"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
        {"file", diagnostic.place.file},
        {"line", diagnostic.place.line},
        {"column", diagnostic.place.column},
        {"subject", diagnostic.subject},
        {"problem", diagnostic.problem},
        {"hint", diagnostic.hint},
        {"path", strings(diagnostic.path)}};
}

}  // namespace

int check_command(const Options& options) {
    const std::vector<Diagnostic> found = diagnostics_of(options.global);
    const auto errors = std::count_if(found.begin(), found.end(), [](const Diagnostic& problem) {
        return problem.severity == Severity::error;
    });
    if (options.global.json) {
        json::array diagnostics;
        for (const Diagnostic& problem : found) {
            diagnostics.push_back(to_json(problem));
        }
        const json::object document{{"diagnostics", std::move(diagnostics)}};
        print_document(document);
    } else {
        for (const Diagnostic& problem : found) {
            print_to(stderr, "cordon: {}\n", to_string(problem));
        }
    }
    return errors == 0 ? 0 : kFailure;
}

}  // namespace cordon::cli
