#pragma once

#include <cordon/base/diagnostic.hpp>
#include <cordon/config/yaml.hpp>
#include <cordon/loader/patch.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::testing {

/// A layer as it would be read from a file of that name.
inline Layer layer(const std::string& label, std::string_view text) {
    return make_layer(label, label, parse_yaml(text, label));
}

/// Composes `texts` over the empty list; the layers are called `1.yml`, `2.yml` and so on.
inline Composition compose_texts(const std::vector<std::string_view>& texts) {
    std::vector<Layer> layers;
    for (const std::string_view text : texts) {
        layers.push_back(layer(std::to_string(layers.size() + 1) + ".yml", text));
    }
    return compose(Layer{"root", {}}, layers);
}

inline Value rows_of(const Composition& composition) {
    Value::Array rows;
    for (const ComposedRow& row : composition.rows) {
        rows.push_back(row.row);
    }
    return Value{std::move(rows)};
}

inline Value yaml(std::string_view text) {
    return parse_yaml(text, "expected.yml").value();
}

/// What a call says is wrong; empty where it succeeds.
template <typename Call>
std::string problems_of(Call call) {
    try {
        call();
    } catch (const DiagnosticError& error) {
        return error.message();
    }
    return {};
}

inline std::string problems_in(const std::vector<std::string_view>& texts) {
    return problems_of([&] { static_cast<void>(compose_texts(texts)); });
}

inline std::string warnings_in(const std::vector<std::string_view>& texts) {
    return to_string(compose_texts(texts).warnings);
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace cordon::testing
