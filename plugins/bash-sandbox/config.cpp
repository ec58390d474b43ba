#include "config.hpp"

#include <cordon/base/error.hpp>
#include <cordon/config/decode.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace cordon::bash_sandbox {

std::vector<std::string> wrong_settings(const Config& config) {
    constexpr double kLongestTimer = std::numeric_limits<std::int32_t>::max();
    const std::array<std::pair<const char*, double>, 5> settings{{
        {"timeoutMs", config.timeout_ms},
        {"maxTimeoutMs", config.max_timeout_ms},
        {"maxOutputBytes", config.max_output_bytes},
        {"maxSpillBytes", config.max_spill_bytes},
        {"graceMs", config.grace_ms},
    }};
    std::vector<std::string> wrong;
    for (const auto& [key, value] : settings) {
        if (!std::isfinite(value) || value <= 0) {
            wrong.push_back(fmt::format("bash-local: {} must be a positive finite number", key));
        }
    }
    for (const auto& [key, value] : settings) {
        if (std::string_view{key}.ends_with("Ms") && value > kLongestTimer) {
            wrong.push_back(fmt::format("bash-local: {} must be no greater than 2147483647", key));
        }
    }
    return wrong;
}

ConfigSchema config_schema() {
    ConfigSchema schema = schema_of<Config>();
    schema.check = [check_types = schema.check](const Value& raw) {
        std::vector<Diagnostic> problems = check_types(raw);
        if (!problems.empty()) {
            return problems;
        }
        for (std::string& text : wrong_settings(decode<Config>(raw))) {
            problems.push_back({Severity::error, raw.place(), "config", std::move(text), ""});
        }
        return problems;
    };
    return schema;
}

Config decode_config(const Value& raw) {
    auto config = decode<Config>(raw);
    const std::vector<std::string> wrong = wrong_settings(config);
    if (!wrong.empty()) {
        throw Error{wrong.front(), "INVALID_CONFIG"};
    }
    return config;
}

}  // namespace cordon::bash_sandbox
