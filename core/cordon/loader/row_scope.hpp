#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/expression.hpp>
#include <cordon/context/context.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cordon {

struct Entry;

/// What the expressions of all rows of a tree see: the host's scope, `baseUrl`, and the services
/// that the row can reach. Private to the room.
class RowScope {
public:
    RowScope(ExpressionScope scope, const std::filesystem::path& base_folder);

    /// The scope of a row whose plugin runs in `context`.
    [[nodiscard]] ExpressionScope in(const Context& context) const;

    /// The same for the rows of a file in another folder (spec INC-3).
    [[nodiscard]] std::shared_ptr<const RowScope> beside(const std::filesystem::path& folder) const;

private:
    ExpressionScope scope_;
};

/// Whether the row switches itself off (spec EXP-7), evaluated in `context`.
///
/// Errors: `DiagnosticError`.
[[nodiscard]] bool is_switched_off(
    const Entry& entry, const RowScope& scope, const Context& context
);

/// Every expression in the config of a row that cannot be evaluated whatever the environment.
[[nodiscard]] std::vector<Diagnostic> check_config_expressions(const Entry& entry);

/// `file:///folder/` (spec composition.md 3, `baseUrl`).
[[nodiscard]] std::string folder_url(const std::filesystem::path& folder);

}  // namespace cordon
