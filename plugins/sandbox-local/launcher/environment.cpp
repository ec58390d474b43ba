#include "environment.hpp"

#include "system.hpp"
#include "text.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cordon::launch {
namespace {

constexpr const char* kTemporaryVariable = "TMPDIR";

/// Whether both entries are of the same variable.
bool have_same_name(const char* left, const char* right) {
    while (*left == *right && *left != '=' && *left != '\0') {
        ++left;
        ++right;
    }
    const bool left_ends = *left == '=' || *left == '\0';
    return left_ends && (*right == '=' || *right == '\0');
}

/// Removes the entries of the variable that `entry` is of. Returns the new end, where null stands.
char** remove(char** environment, const char* entry) {
    char** kept = environment;
    for (char** other = environment; *other != nullptr; ++other) {
        if (!have_same_name(*other, entry)) {
            *kept++ = *other;
        }
    }
    *kept = nullptr;
    return kept;
}

/// The first entry that still has the prefix and a name after it; null where there is none.
char* find_prefixed(char** environment) {
    constexpr std::size_t kPrefixSize = sizeof kCommandVariablePrefix - 1;
    for (char** entry = environment; *entry != nullptr; ++entry) {
        const char* const name =
            *entry + (begins(*entry, kCommandVariablePrefix) ? kPrefixSize : 0);
        if (name != *entry && *name != '=' && *name != '\0') {
            return *entry;
        }
    }
    return nullptr;
}

}  // namespace

void restore_command_variables(char** environment) {
    while (char* const prefixed = find_prefixed(environment)) {
        char* const renamed = prefixed + (sizeof kCommandVariablePrefix - 1);
        remove(environment, prefixed);
        char** const end = remove(environment, renamed);
        // At least one entry went, so there is room for this one.
        end[0] = renamed;
        end[1] = nullptr;
    }
}

void set_variable(char** environment, const char* name, char* entry) {
    char** other = environment;
    while (*other != nullptr && value_of(*other, name) == nullptr) {
        ++other;
    }
    if (*other == nullptr) {
        other[1] = nullptr;
    }
    *other = entry;
}

void ensure_temporary_directory(char** environment, char* entry) {
    const char* wanted = "/tmp";
    for (char** other = environment; *other != nullptr; ++other) {
        const char* const value = value_of(*other, kTemporaryVariable);
        if (value != nullptr && *value != '\0') {
            wanted = value;
        }
    }
    if (sys::call(__NR_faccessat, AT_FDCWD, wanted, W_OK | X_OK) < 0) {
        set_variable(environment, kTemporaryVariable, entry);
    }
}

}  // namespace cordon::launch
