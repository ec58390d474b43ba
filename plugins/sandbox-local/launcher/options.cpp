#include "options.hpp"

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace cordon::launch {
namespace {

Outcome wrong(const char* argument) {
    return Outcome{"options", EINVAL, argument};
}

bool parse_number(const char* text, int& number) {
    char* end = nullptr;
    const long parsed = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || parsed < 0 || parsed > 1'000'000) {
        return false;
    }
    number = static_cast<int>(parsed);
    return true;
}

bool parse_mode(std::string_view text, Options& options) {
    options.workspace_write = text == "workspace-write";
    return options.workspace_write || text == "read-only";
}

bool add_writable(const char* path, Options& options) {
    if (*path != '/' || options.writable_count == kMaxWritableRoots) {
        return false;
    }
    options.writable[options.writable_count++] = path;
    return true;
}

bool set_directory(const char* path, const char*& directory) {
    directory = path;
    return *path == '/';
}

/// Options with a value. False where `name` is none of them or the value is wrong.
bool parse_valued(std::string_view name, const char* value, Options& options) {
    if (value == nullptr) {
        return false;
    }
    if (name == "--mode") {
        return parse_mode(value, options);
    }
    if (name == "--landlock-abi") {
        return parse_number(value, options.landlock_abi);
    }
    if (name == "--writable") {
        return add_writable(value, options);
    }
    if (name == "--chdir") {
        return set_directory(value, options.workdir);
    }
    if (name == "--temp") {
        return set_directory(value, options.temporary);
    }
    return name == "--status-fd" && parse_number(value, options.status_fd) && options.status_fd > 2;
}

bool parse_flag(std::string_view name, Options& options) {
    if (name == "--own-mounts") {
        options.own_mounts = true;
        return true;
    }
    if (name == "--check") {
        options.check = true;
        return true;
    }
    return false;
}

}  // namespace

Outcome parse_options(int argument_count, char** arguments, Options& options) {
    bool has_mode = false;
    int next = 1;
    for (; next < argument_count; ++next) {
        const std::string_view name = arguments[next];
        if (name == "--") {
            options.command = arguments + next + 1;
            break;
        }
        if (parse_flag(name, options)) {
            continue;
        }
        // argv ends with null, so a missing value is seen as such.
        if (!parse_valued(name, arguments[next + 1], options)) {
            return wrong(arguments[next]);
        }
        has_mode = has_mode || name == "--mode";
        ++next;
    }
    if (!has_mode || options.landlock_abi < 0) {
        return wrong("expected --mode and --landlock-abi");
    }
    if (!options.check && (options.command == nullptr || *options.command == nullptr)) {
        return wrong("expected a command after --");
    }
    return kDone;
}

}  // namespace cordon::launch
