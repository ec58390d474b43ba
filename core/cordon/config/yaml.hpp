#pragma once

#include <cordon/base/export.hpp>
#include <cordon/config/value.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

/// Reads one document of the `cordis.yml` dialect: YAML 1.2 with the JSON schema's scalar rules and
/// the tag `!!js` (spec composition.md 2). Every value carries its mark. Empty where the text holds
/// no document (nothing, or only comments), which is not the same as `null`.
///
/// Refused, each with place and the spelling that was meant (spec README, decision 3): duplicate
/// keys, tabs as indentation, a second document, unknown tags, `!!js` on a list, mapping or empty
/// value, text that is not UTF-8, nesting and alias expansion beyond the bounds below. A byte order
/// mark and CRLF line ends are accepted.
///
/// `file` is the name that messages show.
/// Errors: `DiagnosticError`.
[[nodiscard]] CORDON_API std::optional<Value> parse_yaml(
    std::string_view text, const std::string& file
);

/// The same for a file on disk.
///
/// Errors: `DiagnosticError`; also where the file cannot be read or is larger than `kMaxYamlBytes`.
[[nodiscard]] CORDON_API std::optional<Value> read_yaml(const std::filesystem::path& file);

/// One block-style document that `parse_yaml` reads back as an equal value; expressions keep their
/// text behind `!!js`. Ends with a newline.
[[nodiscard]] CORDON_API std::string emit_yaml(const Value& value);

inline constexpr std::size_t kMaxYamlBytes = 8U * 1024 * 1024;
inline constexpr std::size_t kMaxYamlDepth = 100;
/// Values in the tree after aliases were expanded.
inline constexpr std::size_t kMaxYamlNodes = 500'000;

}  // namespace cordon
