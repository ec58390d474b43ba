#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/value.hpp>
#include <cordon/loader/patch.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// What an include row asks for (spec INC-1).
struct IncludeConfig {
    /// Absolute.
    std::filesystem::path file;
    /// Written to the file where there is none (spec INC-6).
    std::optional<Value::Array> initial;
    Value::Array patches;
    bool logs = false;
};

/// Reads the config of an include row whose tree has `base_folder`. `inherited_logs`: the setting
/// of the tree that the row stands in (spec LDR-53).
///
/// Errors: `DiagnosticError` for wrong shapes; `extension ".toml" not supported` (spec INC-2).
[[nodiscard]] IncludeConfig include_config(
    const Value& row, const std::filesystem::path& base_folder, bool inherited_logs
);

/// An included file as it was read last.
struct Document {
    std::filesystem::path file;
    std::string text;
    /// The file's own rows, and what the patches of the include row make of them.
    Value::Array base;
    Value::Array patches;
    Value::Array rows;
    /// Of the patches.
    std::vector<Diagnostic> warnings;
    /// Nobody may write it (spec INC-17).
    bool is_read_only = false;
};

/// What becomes of `initial` where there is no file: it is written, or only read.
enum class MissingFile { write, imagine };

/// Reads the file, or `initial` where there is none (spec INC-4, INC-6). Blocks.
///
/// Errors, with the cause: `config file not found: FILE`, `failed to STAGE config file FILE`, where
/// STAGE is read, parse or validate.
[[nodiscard]] Document read_document(const IncludeConfig& config, MissingFile missing);

/// Applies the patches of `config` to the rows of the file (spec INC-7, INC-11, PAT-9).
///
/// Errors: `failed to validate config file FILE`, with every problem of its rows (spec DIF-L5).
void patch_document(Document& document, const IncludeConfig& config);

/// The text of a file of that name that holds these rows.
[[nodiscard]] std::string document_text(
    const std::filesystem::path& file, const Value::Array& rows
);

/// The same row as it is written: `id`, `name`, then the other keys by name, `config` last (spec
/// LDR-9).
[[nodiscard]] Value in_written_order(const Value& row);

/// What a tree is made from before anything is decided. A value: the last good one is kept as it
/// is while the next one is tried.
struct Sources {
    std::vector<ComposedRow> rows;
    /// By the id of the include row.
    std::map<std::string, Document> documents;
};

/// A list of rows in the sources and where one of them stands in it.
struct RowPosition {
    /// Of the include whose file holds the list; empty for the composition.
    std::string document;
    /// The group in whose config it stands; empty for the outermost list.
    std::string group;
    std::size_t index = 0;
};

/// Edits of the sources, by the ids that rows have in their own list. Rows that had no id in the
/// file have been given one by `give_ids`.
class RowEditor {
public:
    explicit RowEditor(Sources& sources) : sources_(sources) {}

    [[nodiscard]] std::optional<RowPosition> find(
        const std::string& document, const std::string& local_id
    );
    [[nodiscard]] Value& at(const RowPosition& position);
    [[nodiscard]] std::size_t size(const std::string& document, const std::string& group);
    /// `position.index` beyond the end means the end.
    void insert(const RowPosition& position, Value row);
    Value take(const RowPosition& position);

private:
    [[nodiscard]] Value::Array* list(const std::string& document, const std::string& group);

    Sources& sources_;
};

}  // namespace cordon
