#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/loader/patch.hpp>
#include <cordon/loader/patch_row.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace cordon {

/// Applies patches to one flat list of rows, in order, as spec composition.md 5 says. Each
/// row is one object, reached from the list it stands in and, if it has an id, from the index.
/// Private to the room.
class PatchEngine {
public:
    explicit PatchEngine(const Layer& base);
    ~PatchEngine();

    PatchEngine(const PatchEngine&) = delete;
    PatchEngine& operator=(const PatchEngine&) = delete;

    void apply(const Layer& layer);

    /// The rows, and in `warnings` everything that was found, errors included. Ends the engine.
    [[nodiscard]] Composition take();

private:
    /// A row of the list as it was before the current layer.
    using Untouched = std::map<const PatchRow*, Value>;

    PatchRowPtr make_node(const Value& row, PatchRow* parent, bool into_index);
    void open(PatchRow& group, bool into_index);
    void apply_entry(const Value& entry);
    void insert(const Object& patch, const Value::Array& rows);
    void insert_into(PatchRow& group, const Value::Array& rows);
    void override_row(const Object& patch, const std::string& id);
    void replace_config(PatchRow& row, const Value& config);
    void warn_of_lost_keys(PatchRow& row, const Value& config);
    void check_config(const Object& row, const Value& config);
    void remember(const PatchRow& row);
    void warn_where_detached(const PatchRow& row, const Value& at);

    void warn(const Value& at, std::string problem, std::string hint = {});
    [[nodiscard]] PatchRow* find(const std::string& id) const;
    [[nodiscard]] std::string hint_for_missing(const Object& patch, const std::string& id) const;

    PatchRows roots_;
    std::map<std::string, PatchRowPtr> index_;
    Untouched untouched_;
    std::string label_;
    std::size_t layer_ = 0;
    std::vector<Diagnostic> found_;
};

}  // namespace cordon
