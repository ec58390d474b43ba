#include <cordon/base/diagnostic.hpp>

#include <fmt/format.h>

#include <utility>

namespace cordon {
namespace {

std::string render(const Diagnostic& diagnostic, std::string_view severity) {
    std::string text = to_string(diagnostic.place);
    if (!text.empty()) {
        text += ": ";
    }
    text += severity;
    if (!diagnostic.subject.empty()) {
        text += diagnostic.subject + ": ";
    }
    text += diagnostic.problem;
    if (!diagnostic.hint.empty()) {
        text += fmt::format(". {}.", diagnostic.hint);
    }
    return text;
}

}  // namespace

std::string to_string(const Place& place) {
    std::string text = place.file;
    if (place.line > 0) {
        text += fmt::format(":{}", place.line);
        if (place.column > 0) {
            text += fmt::format(":{}", place.column);
        }
    }
    return text;
}

std::string to_string(const Diagnostic& diagnostic) {
    return render(diagnostic, diagnostic.severity == Severity::error ? "error: " : "warning: ");
}

std::string describe(const Diagnostic& diagnostic) {
    return render(diagnostic, "");
}

std::string to_string(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
        if (!text.empty()) {
            text += '\n';
        }
        text += to_string(diagnostic);
    }
    return text;
}

DiagnosticError::DiagnosticError(std::vector<Diagnostic> diagnostics)
    : Error(to_string(diagnostics), "INVALID_COMPOSITION"), diagnostics_(std::move(diagnostics)) {}

DiagnosticError::DiagnosticError(Diagnostic diagnostic)
    : DiagnosticError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

DiagnosticError::~DiagnosticError() = default;

}  // namespace cordon
