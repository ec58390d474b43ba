#include <cordon/base/product.hpp>
#include <cordon/base/text.hpp>
#include <cordon/process/environment.hpp>

#include <algorithm>
#include <array>

#include <unistd.h>

namespace cordon {
namespace {

constexpr std::array<std::string_view, 4> kCredentialWords{"key", "password", "secret", "token"};

}  // namespace

Environment host_environment() {
    Environment variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

bool is_withheld_variable(std::string_view name) {
    const std::string lowered = to_lower(name);
    return name == "BASH_ENV" || name == "ENV" || name.starts_with("BASH_FUNC_") ||
           lowered.starts_with(to_lower(kEnvironmentPrefix)) ||
           std::any_of(kCredentialWords.begin(), kCredentialWords.end(), [&](auto word) {
               return lowered.find(word) != std::string::npos;
           });
}

Environment child_environment(const Environment& host, const EnvironmentChanges& changes) {
    Environment variables;
    for (const auto& [name, value] : host) {
        if (!is_withheld_variable(name)) {
            variables.emplace(name, value);
        }
    }
    for (const auto& [name, value] : changes) {
        if (value) {
            variables.insert_or_assign(name, *value);
        } else {
            variables.erase(name);
        }
    }
    return variables;
}

}  // namespace cordon
