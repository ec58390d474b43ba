#include "execute.hpp"

#include "system.hpp"
#include "text.hpp"

#include <cerrno>

#include <linux/limits.h>

namespace cordon::launch {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

bool has_slash(const char* text) {
    for (; *text != '\0'; ++text) {
        if (*text == '/') {
            return true;
        }
    }
    return false;
}

const char* search_path(char* const* environment) {
    for (; *environment != nullptr; ++environment) {
        if (const char* path = value_of(*environment, "PATH")) {
            return path;
        }
    }
    return kDefaultPath;
}

/// Takes the first folder off `path`; an empty one means the working directory.
template <std::size_t Capacity>
void take_folder(const char*& path, Text<Capacity>& folder) {
    char character[2] = {};
    for (; *path != '\0' && *path != ':'; ++path) {
        character[0] = *path;
        folder << character;
    }
    if (folder.size() != 0) {
        folder << "/";
    }
}

/// Such a folder does not have the program, but another may.
bool is_about_one_folder(long result) {
    return result == -ENOENT || result == -ENOTDIR || result == -EACCES || result == -ENAMETOOLONG;
}

}  // namespace

long execute(char* const* command, char* const* environment) {
    const char* const name = *command;
    if (has_slash(name) || *name == '\0') {
        return sys::call(__NR_execve, name, command, environment);
    }
    long denied = 0;
    for (const char* path = search_path(environment);; ++path) {
        Text<PATH_MAX> file;
        take_folder(path, file);
        file << name;
        const long result = file.complete()
                                ? sys::call(__NR_execve, file.c_str(), command, environment)
                                : -ENAMETOOLONG;
        if (!is_about_one_folder(result)) {
            return result;
        }
        denied = result == -EACCES ? result : denied;
        if (*path == '\0') {
            return denied != 0 ? denied : -ENOENT;
        }
    }
}

}  // namespace cordon::launch
