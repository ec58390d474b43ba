#include "graph.hpp"

#include <cordon/base/text.hpp>
#include <cordon/context/fiber.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cordon::cli {
namespace {

std::string state_of(const RowStatus& row) {
    if (row.disabled) {
        return "disabled";
    }
    return row.fiber ? to_lower(to_string(row.fiber->state())) : "failed";
}

bool provides(const RowStatus& row, const std::string& service) {
    const auto* list = row.plugin ? &row.plugin->provides : nullptr;
    return list != nullptr && std::find(list->begin(), list->end(), service) != list->end();
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

Graph graph_of(const std::vector<RowStatus>& rows) {
    Graph graph;
    for (const RowStatus& row : rows) {
        graph.nodes.push_back(GraphNode{row.id, row.name, state_of(row), row.problem, row.owner});
    }
    for (std::size_t from = 0; from < rows.size(); ++from) {
        const std::vector<std::string> needed =
            rows[from].fiber ? rows[from].fiber->required() : std::vector<std::string>{};
        for (const std::string& service : needed) {
            bool is_found = service == EntryTree::service_name;
            for (std::size_t to = 0; to < rows.size(); ++to) {
                if (provides(rows[to], service) && !rows[to].disabled) {
                    graph.edges.push_back(GraphEdge{from, service, to, false});
                    is_found = true;
                }
            }
            if (!is_found) {
                graph.edges.push_back(GraphEdge{from, service, 0, true});
            }
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
