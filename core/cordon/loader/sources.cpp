#include <cordon/base/error.hpp>
#include <cordon/config/json.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/atomic_file.hpp>
#include <cordon/loader/row.hpp>
#include <cordon/loader/sources.hpp>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace cordon {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void wrong(const Value& at, const std::string& key, std::string problem) {
    throw DiagnosticError{
        Diagnostic{Severity::error, at.place(), "include: config." + key, std::move(problem), ""}};
}

Value::Array list_member(const Object& config, std::string_view key) {
    const Value* value = config.find(key);
    if (value == nullptr || value->is_null()) {
        return {};
    }
    const Value::Array* items = value->as_array();
    if (items == nullptr) {
        wrong(*value, std::string{key}, "expected a list, found " + in_words(*value));
    }
    return *items;
}

[[noreturn]] void failed(std::string_view stage, const fs::path& file) {
    const std::exception_ptr why = as_error(std::current_exception());
    throw Error{
        fmt::format("failed to {} config file {}: {}", stage, file.string(), message_of(why)),
        "CONFIG_FILE",
        as_cause(why)};
}

template <typename Step>
auto in_stage(std::string_view stage, const fs::path& file, Step step) {
    try {
        return step();
    } catch (...) {
        failed(stage, file);
    }
}

Value::Array parse_rows(const fs::path& file, const std::string& text) {
    std::optional<Value> document = in_stage("parse", file, [&] {
        // JSON is YAML of one particular look, and so gets the same places in messages.
        return parse_yaml(text, file.string());
    });
    return in_stage("validate", file, [&] {
        Value::Array* rows = document ? document->as_array() : nullptr;
        if (rows == nullptr) {
            throw Error{
                fmt::format(
                    "config file must be a top-level array, found {}",
                    document ? in_words(*document) : "nothing"
                ),
                "CONFIG_FILE"};
        }
        return std::move(*rows);
    });
}

/// The rows of the group of that id, which is `row` itself or stands in it; null where there is
/// none.
Value::Array* rows_of_group(Value& row, const std::string& group) {
    Object* keys = row.as_object();
    if (keys == nullptr || !is_group(*keys)) {
        return nullptr;
    }
    Value* config = keys->find("config");
    Value::Array* children = config == nullptr ? nullptr : config->as_array();
    if (string_member(*keys, "id") == group) {
        return children != nullptr ? children
                                   : keys->set("config", Value{Value::Array{}}).as_array();
    }
    if (children != nullptr) {
        for (Value& child : *children) {
            if (Value::Array* found = rows_of_group(child, group)) {
                return found;
            }
        }
    }
    return nullptr;
}

std::optional<RowPosition> find_in(
    const Value::Array& rows, const std::string& local_id, RowPosition list
) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Object* keys = rows[i].as_object();
        if (keys == nullptr) {
            continue;
        }
        const std::string id = string_member(*keys, "id");
        if (id == local_id) {
            list.index = i;
            return list;
        }
        const Value* config = keys->find("config");
        const Value::Array* children = config == nullptr ? nullptr : config->as_array();
        if (children != nullptr && is_group(*keys)) {
            if (auto found = find_in(*children, local_id, RowPosition{list.document, id, 0})) {
                return found;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

IncludeConfig include_config(const Value& row, const fs::path& base_folder, bool inherited_logs) {
    IncludeConfig include;
    include.logs = inherited_logs;
    const Value* config = row.as_object()->find("config");
    const Object* members = config == nullptr ? nullptr : config->as_object();
    const Value* path = members == nullptr ? nullptr : members->find("path");
    const std::string* text = path == nullptr ? nullptr : path->as_string();
    if (text == nullptr || text->empty()) {
        const Value& at = path != nullptr ? *path : config != nullptr ? *config : row;
        // Nothing evaluates it there (spec EXP-5).
        wrong(
            at,
            "path",
            path == nullptr ? "is missing; expected the path of a file"
                            : "expected the path of a file, found " + in_words(*path)
        );
    }
    include.file = (base_folder / *text).lexically_normal();
    const std::string extension = include.file.extension();
    if (extension != ".yml" && extension != ".yaml" && extension != ".json") {
        wrong(*path, "path", fmt::format("extension \"{}\" not supported", extension));
    }
    include.patches = list_member(*members, "patches");
    if (const Value* initial = members->find("initial");
        initial != nullptr && !initial->is_null()) {
        include.initial = list_member(*members, "initial");
    }
    if (const Value* logs = members->find("enableLogs"); logs != nullptr && !logs->is_null()) {
        include.logs = is_truthy(*logs);
    }
    return include;
}

std::string document_text(const fs::path& file, const Value::Array& rows) {
    const Value document{rows};
    return file.extension() == ".json" ? boost::json::serialize(to_json(document)) + "\n"
                                       : emit_yaml(document);
}

Value in_written_order(const Value& row) {
    std::map<std::string, Value> others;
    Object written;
    for (const std::string_view key : {"id", "name"}) {
        if (const Value* value = row.as_object()->find(key)) {
            written.set(key, *value);
        }
    }
    for (const Member& member : *row.as_object()) {
        others.emplace(member.key, member.value);
    }
    for (const auto& [key, value] : others) {
        if (written.find(key) == nullptr && key != "config") {
            written.set(key, value);
        }
    }
    if (const Value* config = row.as_object()->find("config")) {
        written.set("config", *config);
    }
    Value ordered{std::move(written)};
    ordered.set_mark(row.mark());
    return ordered;
}

Document read_document(const IncludeConfig& config, MissingFile missing) {
    const fs::path& file = config.file;
    Document document;
    document.file = file;
    std::error_code unreadable;
    if (!fs::exists(file, unreadable) && !unreadable) {
        if (!config.initial) {
            throw Error{
                fmt::format("config file not found: {}", file.string()), "CONFIG_FILE_NOT_FOUND"};
        }
        document.text = document_text(file, *config.initial);
        if (missing == MissingFile::write) {
            in_stage("write", file, [&] { write_atomically(file, document.text); });
        }
    } else {
        document.text = in_stage("read", file, [&] { return read_whole(file); });
    }
    document.base = parse_rows(file, document.text);
    document.is_read_only = ::access(file.c_str(), W_OK) != 0;
    patch_document(document, config);
    return document;
}

void patch_document(Document& document, const IncludeConfig& config) {
    const std::string label = document.file.string();
    const Layer base{label, document.base};
    const Layer patches{label + " (patches)", config.patches};
    const Composition composed =
        in_stage("validate", document.file, [&] { return compose(base, {patches}); });
    document.rows.clear();
    for (const ComposedRow& row : composed.rows) {
        document.rows.push_back(row.row);
    }
    document.patches = config.patches;
    document.warnings = composed.warnings;
}

Value::Array* RowEditor::list(const std::string& document, const std::string& group) {
    Value::Array* outermost = document.empty() ? nullptr : &sources_.documents.at(document).rows;
    if (group.empty()) {
        return outermost;
    }
    if (outermost != nullptr) {
        for (Value& row : *outermost) {
            if (Value::Array* found = rows_of_group(row, group)) {
                return found;
            }
        }
        return nullptr;
    }
    for (ComposedRow& composed : sources_.rows) {
        if (Value::Array* found = rows_of_group(composed.row, group)) {
            return found;
        }
    }
    return nullptr;
}

std::optional<RowPosition> RowEditor::find(
    const std::string& document, const std::string& local_id
) {
    if (!document.empty()) {
        const auto found = sources_.documents.find(document);
        return found == sources_.documents.end()
                   ? std::nullopt
                   : find_in(found->second.rows, local_id, RowPosition{document, "", 0});
    }
    for (std::size_t i = 0; i < sources_.rows.size(); ++i) {
        const Value::Array single{sources_.rows[i].row};
        if (auto found = find_in(single, local_id, RowPosition{})) {
            found->index = found->group.empty() ? i : found->index;
            return found;
        }
    }
    return std::nullopt;
}

Value& RowEditor::at(const RowPosition& position) {
    if (position.document.empty() && position.group.empty()) {
        return sources_.rows.at(position.index).row;
    }
    return list(position.document, position.group)->at(position.index);
}

std::size_t RowEditor::size(const std::string& document, const std::string& group) {
    const Value::Array* rows = list(document, group);
    return rows == nullptr ? sources_.rows.size() : rows->size();
}

void RowEditor::insert(const RowPosition& position, Value row) {
    const auto place = [&](auto& rows, auto item) {
        const std::size_t index = std::min(position.index, rows.size());
        rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(index), std::move(item));
    };
    if (Value::Array* rows = list(position.document, position.group)) {
        place(*rows, std::move(row));
    } else {
        place(sources_.rows, ComposedRow{std::move(row), "(program)", {}});
    }
}

Value RowEditor::take(const RowPosition& position) {
    Value row = at(position);
    const auto erase = [&](auto& rows) {
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(position.index));
    };
    if (Value::Array* rows = list(position.document, position.group)) {
        erase(*rows);
    } else {
        erase(sources_.rows);
    }
    return row;
}

}  // namespace cordon
