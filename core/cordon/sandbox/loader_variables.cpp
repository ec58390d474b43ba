#include <cordon/sandbox/loader_variables.hpp>

#include <string_view>
#include <utility>

#include <unistd.h>

namespace cordon {

namespace {

/// What glibc itself distrusts in programs with raised privileges and what loads code or files.
bool is_loader_variable(std::string_view name) {
    return name.starts_with("LD_") || name.starts_with("MALLOC_") || name == "GLIBC_TUNABLES" ||
           name == "GCONV_PATH" || name == "LOCPATH" || name == "NLSPATH";
}

}  // namespace

EnvironmentChanges runner_environment(const ConfinedArgv& confined, EnvironmentChanges changes) {
    EnvironmentChanges result;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos && is_loader_variable(text.substr(0, equals))) {
            // What the call says about the same variable wins, a removal too.
            changes.try_emplace(
                std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}
            );
        }
    }
    for (auto& [name, value] : changes) {
        if (!is_loader_variable(name)) {
            result[name] = std::move(value);
            continue;
        }
        result[name] = std::nullopt;
        if (value && !confined.loader_variable_prefix.empty()) {
            result[confined.loader_variable_prefix + name] = std::move(value);
        }
    }
    return result;
}

}  // namespace cordon
