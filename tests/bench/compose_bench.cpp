#include <cordon/config/yaml.hpp>
#include <cordon/loader/patch.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// From the text of the files to composed rows: one patch for every ten rows.

namespace {

using namespace cordon;  // NOLINT(google-build-using-namespace)

std::string rows_text(std::size_t count) {
    std::string text = "- insert:\n";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "    - id: row-" + number + "\n      name: '@example/plugin-" + number +
                "'\n      config:\n        port: " + number +
                "\n        host: !!js process.env.HOST ?? 'localhost'\n";
    }
    return text;
}

std::string patches_text(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text +=
            "- id: row-" + std::to_string(i * 10) + "\n  config:\n    port: 1\n    host: here\n";
    }
    return text;
}

void parse_and_compose(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const std::string rows = rows_text(count);
    const std::string patches = patches_text(count / 10);
    for (auto round : state) {
        static_cast<void>(round);
        std::vector<Layer> layers;
        layers.push_back(make_layer("rows.yml", "rows.yml", parse_yaml(rows, "rows.yml")));
        layers.push_back(make_layer("my.yml", "my.yml", parse_yaml(patches, "my.yml")));
        const Composition composition = compose(Layer{"root", {}}, layers);
        if (composition.rows.size() != count || !composition.warnings.empty()) {
            state.SkipWithError("the composition is not what it should be");
            return;
        }
    }
    state.SetComplexityN(state.range(0));
}

BENCHMARK(parse_and_compose)
    ->RangeMultiplier(10)
    ->Range(100, 10'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace

BENCHMARK_MAIN();
