#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/loader/patch.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cordon {

/// Applies patches to one flat list of rows, in order, as spec composition.md 5 says. What the
/// reference gets by sharing row objects between its list and its index, this gets with nodes: each
/// row is one node, reached from the list it stands in and, if it has an id, from the index.
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
    struct Node;
    using NodePtr = std::shared_ptr<Node>;
    using Nodes = std::vector<NodePtr>;

    /// A row of the list as it was before the current layer.
    using Untouched = std::map<const Node*, Value>;

    NodePtr make_node(const Value& row, Node* parent, bool into_index);
    void open(Node& group, bool into_index);
    void apply_entry(const Value& entry);
    void insert(const Object& patch, const Value::Array& rows);
    void insert_into(Node& group, const Value::Array& rows);
    void override_row(const Object& patch, const std::string& id);
    void replace_config(Node& row, const Value& config);
    void check_config(const Object& row, const Value& config);
    void remember(const Node& row);
    void warn_where_detached(const Node& row, const Value& at);

    void warn(const Value& at, std::string problem, std::string hint = {});
    [[nodiscard]] Node* find(const std::string& id) const;
    [[nodiscard]] std::string hint_for_missing(const Object& patch, const std::string& id) const;
    [[nodiscard]] static Value assemble(const Node& node);
    static void detach(Node& node);

    Nodes roots_;
    std::map<std::string, NodePtr> index_;
    Untouched untouched_;
    std::string label_;
    std::size_t layer_ = 0;
    std::vector<Diagnostic> found_;
};

}  // namespace cordon
