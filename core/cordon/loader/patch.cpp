#include <cordon/loader/patch.hpp>
#include <cordon/loader/patch_engine.hpp>
#include <cordon/loader/row.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace cordon {
namespace {

/// Every row of the result by id, to find the second one of an id.
class Uniqueness {
public:
    explicit Uniqueness(std::vector<Diagnostic>& found) : found_(found) {}

    void check(const Value& row, const std::string& origin) {
        const Object* members = row.as_object();
        if (members == nullptr) {
            return;
        }
        const std::string id = string_member(*members, "id");
        if (!id.empty()) {
            const auto [first, is_new] = first_.try_emplace(id, place_of(row), origin);
            if (!is_new) {
                report(row, id, first->second);
            }
        }
        const Value* config = members->find("config");
        const Value::Array* children = config == nullptr ? nullptr : config->as_array();
        if (children != nullptr && (is_group(*members) || is_open_group(*members))) {
            for (const Value& child : *children) {
                check(child, origin);
            }
        }
    }

private:
    void report(
        const Value& row, const std::string& id, const std::pair<Place, std::string>& first
    ) {
        const std::string place = to_string(first.first);
        found_.push_back(Diagnostic{
            Severity::error,
            place_of(row),
            fmt::format("row '{}'", id),
            fmt::format(
                "duplicate loader entry id: {}; it was first used in layer '{}'{}",
                id,
                first.second,
                place.empty() ? "" : " at " + place
            ),
            fmt::format(
                "Give this row another id, or change the first one with an override, which has no "
                "`insert`: `- id: {}` and the keys to replace",
                id
            )});
    }

    std::map<std::string, std::pair<Place, std::string>> first_;
    std::vector<Diagnostic>& found_;
};

bool has_error(const std::vector<Diagnostic>& found) {
    return std::any_of(found.begin(), found.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
}

}  // namespace

Layer make_layer(std::string label, const std::string& file, std::optional<Value> document) {
    Layer layer{std::move(label), {}};
    if (!document) {
        return layer;
    }
    Value::Array* entries = document->as_array();
    if (entries == nullptr) {
        Place place = document->place();
        place.file = file;
        throw DiagnosticError{Diagnostic{
            Severity::error,
            std::move(place),
            "",
            "must be a top-level YAML array of loader patch entries: expected a list, found " +
                in_words(*document),
            "Write `[]` for a layer without entries"}};
    }
    std::vector<Diagnostic> found;
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const Value& entry = (*entries)[i];
        if (entry.as_object() == nullptr) {
            Place place = entry.place();
            place.file = file;
            found.push_back(Diagnostic{
                Severity::error,
                std::move(place),
                "",
                fmt::format(
                    "entry {} in {} must be a mapping (a loader patch entry), found {}",
                    i + 1,
                    file,
                    in_words(entry)
                ),
                ""});
        }
    }
    if (!found.empty()) {
        throw DiagnosticError{std::move(found)};
    }
    layer.entries = std::move(*entries);
    return layer;
}

Composition compose(const Layer& base, const std::vector<Layer>& patches) {
    PatchEngine engine{base};
    for (const Layer& layer : patches) {
        engine.apply(layer);
    }
    Composition composition = engine.take();
    Uniqueness uniqueness{composition.warnings};
    for (const ComposedRow& row : composition.rows) {
        uniqueness.check(row.row, row.origin);
    }
    if (has_error(composition.warnings)) {
        throw DiagnosticError{std::move(composition.warnings)};
    }
    return composition;
}

}  // namespace cordon
