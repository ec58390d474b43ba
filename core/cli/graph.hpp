#pragma once

#include <cordon/context/inspection.hpp>
#include <cordon/loader/tree.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace cordon::cli {

/// One row of the picture.
struct GraphNode {
    std::string id;
    std::string name;
    /// `active`, `pending`, `failed`, `disabled`, …
    std::string state;
    /// Why it is not active.
    std::string problem;
    std::string owner;
};

/// Who uses whom: the row at `from` needs `service`, which the row at `to` provides, or could;
/// without one, nobody does. What the host provides itself makes no edge.
struct GraphEdge {
    std::size_t from = 0;
    std::string service;
    std::size_t to = 0;
    bool is_missing = false;
};

struct Graph {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
};

/// `rows` as they stand in the container that was inspected.
[[nodiscard]] Graph graph_of(const std::vector<RowStatus>& rows, const Inspection& inspection);
[[nodiscard]] std::string to_mermaid(const Graph& graph);
[[nodiscard]] std::string to_dot(const Graph& graph);

}  // namespace cordon::cli
