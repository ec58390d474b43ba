#include <cordon/base/text.hpp>
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
        text += problem.subject.empty() ? "" : problem.subject + ": ";
        text += problem.problem;
        if (!problem.path.empty()) {
            text += fmt::format(" (at {})", join(problem.path, "."));
        }
        const std::string place = to_string(problem.place);
        if (!place.empty() || !problem.hint.empty()) {
            text += "\n    " + place;
            text += place.empty() || problem.hint.empty() ? "" : ": ";
            text += problem.hint.empty() ? "" : problem.hint + ".";
        }
    }
    return text;
}

}  // namespace

ConfigError::ConfigError(std::vector<Diagnostic> problems)
    : Error(describe(problems), "INVALID_CONFIG"), problems_(std::move(problems)) {}

ConfigError::~ConfigError() = default;

}  // namespace cordon
