#include "options.hpp"

#include "text.hpp"

#include <cerrno>

namespace cordon::launch {
namespace {

Outcome wrong(const char* argument) {
    return Outcome{"options", EINVAL, argument};
}

bool parse_number(const char* text, int& number) {
    constexpr int kMost = 1'000'000;
    int parsed = 0;
    for (const char* digit = text; *digit != '\0'; ++digit) {
        if (*digit < '0' || *digit > '9' || parsed > kMost) {
            return false;
        }
        parsed = parsed * 10 + (*digit - '0');
    }
    number = parsed;
    return *text != '\0' && parsed <= kMost;
}

bool parse_mode(const char* text, Options& options) {
    options.workspace_write = equal(text, "workspace-write");
    return options.workspace_write || equal(text, "read-only");
}

template <std::size_t Capacity>
bool add_path(const char* path, PathList<Capacity>& list) {
    return *path == '/' && list.add(path);
}

bool set_directory(const char* path, const char*& directory) {
    directory = path;
    return *path == '/';
}

struct PathOption {
    const char* name;
    PathList<kMaxOtherPaths> Options::*list;
};

constexpr PathOption kPathOptions[] = {
    {"--private", &Options::private_folders},
    {"--read-only", &Options::read_only},
    {"--keep", &Options::kept},
};

struct DirectoryOption {
    const char* name;
    const char* Options::*directory;
};

constexpr DirectoryOption kDirectoryOptions[] = {
    {"--chdir", &Options::workdir},
    {"--temp", &Options::temporary},
    {"--temp-source", &Options::temporary_source},
};

struct Flag {
    const char* name;
    bool Options::*member;
    bool value;
};

constexpr Flag kFlags[] = {
    {"--own-mounts", &Options::own_mounts, true},
    {"--view", &Options::view, true},
    {"--user-namespace", &Options::user_namespace, true},
    {"--process-namespace", &Options::process_namespace, true},
    {"--supervise", &Options::supervise, true},
    {"--no-network", &Options::network, false},
    {"--check", &Options::check, true},
};

/// Options with a value. False where `name` is none of them or the value is wrong.
bool parse_valued(const char* name, const char* value, Options& options) {
    if (value == nullptr) {
        return false;
    }
    if (equal(name, "--mode")) {
        return parse_mode(value, options);
    }
    if (equal(name, "--landlock-abi")) {
        return parse_number(value, options.landlock_abi);
    }
    if (equal(name, "--status-fd")) {
        return parse_number(value, options.status_fd) && options.status_fd > 2;
    }
    if (equal(name, "--writable")) {
        return add_path(value, options.writable);
    }
    for (const PathOption& option : kPathOptions) {
        if (equal(name, option.name)) {
            return add_path(value, options.*option.list);
        }
    }
    for (const DirectoryOption& option : kDirectoryOptions) {
        if (equal(name, option.name)) {
            return set_directory(value, options.*option.directory);
        }
    }
    return false;
}

bool parse_flag(const char* name, Options& options) {
    for (const Flag& flag : kFlags) {
        if (equal(name, flag.name)) {
            options.*flag.member = flag.value;
            return true;
        }
    }
    return false;
}

/// What contradicts itself; null where nothing does.
const char* contradiction(const Options& options) {
    if (options.landlock_abi < 0) {
        return "expected --mode and --landlock-abi";
    }
    if (options.view && options.own_mounts) {
        return "expected one of --view and --own-mounts";
    }
    if (options.view && options.supervise) {
        return "expected --supervise without --view, which needs no supervisor";
    }
    if (!options.view && (options.read_only.count != 0 || options.kept.count != 0 ||
                          options.temporary_source != nullptr || options.user_namespace ||
                          options.process_namespace)) {
        return "expected --view with --read-only, --keep, --temp-source and namespaces";
    }
    if (!options.check && (options.command == nullptr || *options.command == nullptr)) {
        return "expected a command after --";
    }
    return nullptr;
}

}  // namespace

Outcome parse_options(int argument_count, char** arguments, Options& options) {
    bool has_mode = false;
    for (int next = 1; next < argument_count; ++next) {
        const char* const name = arguments[next];
        if (equal(name, "--")) {
            options.command = arguments + next + 1;
            break;
        }
        if (parse_flag(name, options)) {
            continue;
        }
        // argv ends with null, so a missing value is seen as such.
        if (!parse_valued(name, arguments[next + 1], options)) {
            return wrong(name);
        }
        has_mode = has_mode || equal(name, "--mode");
        ++next;
    }
    if (!has_mode) {
        return wrong("expected --mode and --landlock-abi");
    }
    const char* const problem = contradiction(options);
    return problem != nullptr ? wrong(problem) : kDone;
}

}  // namespace cordon::launch
