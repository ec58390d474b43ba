#include "graph.hpp"

#include <cordon/base/text.hpp>
#include <cordon/context/fiber.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace cordon::cli {
namespace {

std::string state_of(const RowStatus& row) {
    if (row.disabled) {
        return "disabled";
    }
    return row.fiber ? to_lower(to_string(row.fiber->state())) : "failed";
}

/// Finds the rows behind fibers.
class RowIndex {
public:
    RowIndex(const std::vector<RowStatus>& rows, const Inspection& inspection) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (const auto uid = rows[row].fiber ? rows[row].fiber->uid() : std::nullopt) {
                rows_.emplace(*uid, row);
            }
        }
        for (const FiberRow& fiber : inspection.fibers) {
            fibers_.emplace(fiber.uid, &fiber);
        }
    }

    /// What the fiber of a row needs; null where it is not in the container.
    [[nodiscard]] const FiberRow* fiber(const RowStatus& row) const {
        const auto uid = row.fiber ? row.fiber->uid() : std::nullopt;
        const auto found = uid ? fibers_.find(*uid) : fibers_.end();
        return found == fibers_.end() ? nullptr : found->second;
    }

    /// The row that the fiber belongs to, by way of its parents; none for the host's own.
    [[nodiscard]] std::optional<std::size_t> row_of(std::optional<std::uint64_t> uid) const {
        while (uid) {
            if (const auto row = rows_.find(*uid); row != rows_.end()) {
                return row->second;
            }
            const auto fiber = fibers_.find(*uid);
            uid = fiber == fibers_.end() ? std::nullopt : fiber->second->parent;
        }
        return std::nullopt;
    }

private:
    std::map<std::uint64_t, std::size_t> rows_;
    std::map<std::uint64_t, const FiberRow*> fibers_;
};

void add_edges(Graph& graph, const RowIndex& index, std::size_t from, const ServiceNeed& need) {
    if (need.providers.empty()) {
        graph.edges.push_back(GraphEdge{from, need.service, 0, true});
    }
    std::set<std::size_t> known;
    for (const std::uint64_t provider : need.providers) {
        const auto to = index.row_of(provider);
        if (to && known.insert(*to).second) {
            graph.edges.push_back(GraphEdge{from, need.service, *to, false});
        }
    }
}

std::string_view colour_of(const std::string& state) {
    return state == "active"     ? "#d5e8d4"
           : state == "pending"  ? "#fff2cc"
           : state == "disabled" ? "#eeeeee"
                                 : "#f8cecc";
}

/// For a quoted label of either language; line breaks as `separator`.
std::string label_of(const GraphNode& node, std::string_view separator) {
    std::string text = node.id + " (" + node.name + ")";
    if (node.state != "active") {
        text += std::string{separator} + node.state;
    }
    if (!node.problem.empty()) {
        text += std::string{separator} + node.problem;
    }
    return text;
}

std::string replaced(std::string text, char wanted, std::string_view by) {
    for (std::size_t at = text.find(wanted); at != std::string::npos;
         at = text.find(wanted, at + by.size())) {
        text.replace(at, 1, by);
    }
    return text;
}

}  // namespace

Graph graph_of(const std::vector<RowStatus>& rows, const Inspection& inspection) {
    const RowIndex index{rows, inspection};
    Graph graph;
    for (const RowStatus& row : rows) {
        graph.nodes.push_back(GraphNode{row.id, row.name, state_of(row), row.problem, row.owner});
    }
    for (std::size_t from = 0; from < rows.size(); ++from) {
        const FiberRow* fiber = index.fiber(rows[from]);
        for (const ServiceNeed& need : fiber ? fiber->needs : std::vector<ServiceNeed>{}) {
            add_edges(graph, index, from, need);
        }
    }
    return graph;
}

std::string to_mermaid(const Graph& graph) {
    std::string text = "graph LR\n";
    std::size_t missing = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        const std::string label = replaced(label_of(node, "<br/>"), '"', "#quot;");
        text += fmt::format("  r{}[\"{}\"]\n", i, label);
        text += fmt::format("  style r{} fill:{}\n", i, colour_of(node.state));
    }
    for (const GraphEdge& edge : graph.edges) {
        const std::string target = edge.is_missing ? fmt::format("m{}([\"nobody\"])", missing++)
                                                   : fmt::format("r{}", edge.to);
        text += fmt::format(
            "  r{} {}|{}| {}\n", edge.from, edge.is_missing ? "-.->" : "-->", edge.service, target
        );
    }
    return text;
}

std::string to_dot(const Graph& graph) {
    std::string text = "digraph cordon {\n  rankdir=LR;\n  node [shape=box, style=filled];\n";
    std::size_t missing = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        std::string label = replaced(label_of(node, "\n"), '\\', "\\\\");
        label = replaced(replaced(label, '"', "\\\""), '\n', "\\n");
        text += fmt::format(
            "  r{} [label=\"{}\", fillcolor=\"{}\"];\n", i, label, colour_of(node.state)
        );
    }
    for (const GraphEdge& edge : graph.edges) {
        if (edge.is_missing) {
            text += fmt::format("  m{} [label=\"nobody\", shape=ellipse];\n", missing);
            text += fmt::format(
                "  r{} -> m{} [label=\"{}\", style=dashed];\n", edge.from, missing++, edge.service
            );
        } else {
            text += fmt::format("  r{} -> r{} [label=\"{}\"];\n", edge.from, edge.to, edge.service);
        }
    }
    return text + "}\n";
}

}  // namespace cordon::cli
