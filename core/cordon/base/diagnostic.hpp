#pragma once

#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// A position in a file. Lines and columns count from 1; 0 means "not known".
struct Place {
    std::string file;
    int line = 0;
    int column = 0;

    friend bool operator==(const Place&, const Place&) = default;
};

/// `file:line:column`, without the parts that are not known.
[[nodiscard]] CORDON_API std::string to_string(const Place& place);

enum class Severity { error, warning };

/// One problem in a file that a person wrote, in the parts needed to put it right.
struct Diagnostic {
    Severity severity = Severity::error;
    Place place;
    /// What in the file: `row 'bash': config.mode`. May be empty.
    std::string subject;
    /// What is wrong, without a full stop: `expected a list, found a mapping`.
    std::string problem;
    /// What to do, one imperative sentence without a full stop; empty where there is nothing to
    /// say.
    std::string hint;
    /// The keys and indices from the top of a config to the value, for programs: `targets`, `1`
    /// (spec SCH-18). Empty at the top, and where the problem is not one of a config.
    std::vector<std::string> path = {};
};

/// `place: severity: subject: problem. Hint.` on one line.
[[nodiscard]] CORDON_API std::string to_string(const Diagnostic& diagnostic);

/// The same without the severity, for channels that say it themselves.
[[nodiscard]] CORDON_API std::string describe(const Diagnostic& diagnostic);

/// One line per diagnostic, no trailing newline.
[[nodiscard]] CORDON_API std::string to_string(const std::vector<Diagnostic>& diagnostics);

/// Thrown after a whole file, layer or tree was checked: carries every problem found, not the
/// first. Code `INVALID_COMPOSITION`.
class CORDON_API DiagnosticError : public Error {
public:
    /// Precondition: `diagnostics` is not empty.
    explicit DiagnosticError(std::vector<Diagnostic> diagnostics);
    explicit DiagnosticError(Diagnostic diagnostic);
    DiagnosticError(const DiagnosticError&) = default;
    DiagnosticError& operator=(const DiagnosticError&) = default;
    ~DiagnosticError() override;

    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept {
        return diagnostics_;
    }

private:
    std::vector<Diagnostic> diagnostics_;
};

}  // namespace cordon
