#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/base/error.hpp>
#include <cordon/base/export.hpp>

#include <vector>

namespace cordon {

/// A plugin's config was refused before its body ran. The text is `invalid config:` and for each
/// problem `  - MESSAGE (at targets.1)`, with place and hint, where there are any, on a line of
/// their own beneath (spec FIB-11, SCH-22). Code `INVALID_CONFIG`.
class CORDON_API ConfigError : public Error {
public:
    explicit ConfigError(std::vector<Diagnostic> problems);
    ConfigError(const ConfigError&) = default;
    ConfigError& operator=(const ConfigError&) = default;
    ~ConfigError() override;

    [[nodiscard]] const std::vector<Diagnostic>& problems() const noexcept { return problems_; }

private:
    std::vector<Diagnostic> problems_;
};

}  // namespace cordon
