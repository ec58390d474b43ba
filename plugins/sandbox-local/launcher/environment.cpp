#include "environment.hpp"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

// NOLINTBEGIN(concurrency-mt-unsafe): the launcher has one thread.

namespace cordon::launch {
namespace {

constexpr std::string_view kPrefix{kCommandVariablePrefix};

std::string_view name_of(const char* entry) {
    const std::string_view text{entry};
    return text.substr(0, text.find('='));
}

/// Returns the new end, where null stands.
char** remove(char** environment, std::string_view name) {
    char** kept = environment;
    for (char** entry = environment; *entry != nullptr; ++entry) {
        if (name_of(*entry) != name) {
            *kept++ = *entry;
        }
    }
    *kept = nullptr;
    return kept;
}

/// The first entry that still has the prefix and a name after it; null where there is none.
char** find_prefixed(char** environment) {
    for (char** entry = environment; *entry != nullptr; ++entry) {
        const std::string_view name = name_of(*entry);
        if (name.size() > kPrefix.size() && name.starts_with(kPrefix)) {
            return entry;
        }
    }
    return nullptr;
}

}  // namespace

void restore_command_variables(char** environment) {
    for (char** entry = find_prefixed(environment); entry != nullptr;
         entry = find_prefixed(environment)) {
        const std::string_view prefixed = name_of(*entry);
        char* const renamed = *entry + kPrefix.size();
        remove(environment, prefixed);
        char** const end = remove(environment, prefixed.substr(kPrefix.size()));
        // At least one entry went, so there is room for this one.
        end[0] = renamed;
        end[1] = nullptr;
    }
}

bool set_working_directory_variable(const char* path) {
    return ::setenv("PWD", path, 1) == 0;
}

bool ensure_temporary_directory(const char* temporary) {
    const char* wanted = ::getenv("TMPDIR");
    if (wanted == nullptr || *wanted == '\0') {
        wanted = "/tmp";
    }
    return ::access(wanted, W_OK | X_OK) == 0 || ::setenv("TMPDIR", temporary, 1) == 0;
}

}  // namespace cordon::launch

// NOLINTEND(concurrency-mt-unsafe)
