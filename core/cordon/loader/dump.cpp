#include <cordon/base/text.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/patch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace cordon {
namespace {

/// A label for a comment: a line break in a path must not end the comment.
std::string printable(std::string label) {
    std::replace_if(
        label.begin(), label.end(), [](char c) { return c == '\n' || c == '\r'; }, '?'
    );
    return label;
}

bool same_run(const ComposedRow& left, const ComposedRow& right) {
    return left.origin == right.origin && left.patched_by == right.patched_by;
}

std::string heading(const ComposedRow& row) {
    const std::string patched_by =
        row.patched_by.empty() ? "" : ", patched by " + join(row.patched_by);
    return fmt::format("# == {}\n", printable(row.origin + patched_by));
}

}  // namespace

std::string dump(const Composition& composition) {
    if (composition.rows.empty()) {
        return emit_yaml(Value{Value::Array{}});
    }
    std::string text;
    auto run = composition.rows.begin();
    while (run != composition.rows.end()) {
        Value::Array rows;
        auto next = run;
        while (next != composition.rows.end() && same_run(*run, *next)) {
            rows.push_back(next->row);
            ++next;
        }
        text += heading(*run) + emit_yaml(Value{std::move(rows)});
        run = next;
    }
    return text;
}

}  // namespace cordon
