#include <cordon/context/config_error.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>

namespace cordon {
namespace {

std::string describe(const std::vector<Diagnostic>& problems) {
    std::string text = "invalid config:";
    for (const Diagnostic& problem : problems) {
        text += "\n  - ";
        const std::string place = to_string(problem.place);
        for (const std::string& part : {place, problem.subject}) {
            text += part.empty() ? "" : part + ": ";
        }
        text += problem.problem;
        if (!problem.hint.empty()) {
            text += fmt::format(". {}.", problem.hint);
        }
    }
    return text;
}

}  // namespace

ConfigError::ConfigError(std::vector<Diagnostic> problems)
    : Error(describe(problems), "INVALID_CONFIG"), problems_(std::move(problems)) {}

ConfigError::~ConfigError() = default;

}  // namespace cordon
