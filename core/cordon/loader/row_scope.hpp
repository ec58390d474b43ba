#pragma once

#include <cordon/config/expression.hpp>
#include <cordon/context/context.hpp>
#include <cordon/loader/entry.hpp>

#include <filesystem>
#include <memory>

namespace cordon {

/// What the expressions of all rows of a tree see: the host's scope, `baseUrl`, and the services
/// that the row can reach. Private to the room.
class RowScope {
public:
    RowScope(ExpressionScope scope, const std::filesystem::path& base_folder);

    /// The scope of a row whose plugin runs in `context`.
    [[nodiscard]] ExpressionScope in(const Context& context) const;

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
