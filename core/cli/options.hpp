#pragma once

#include <cordon/context/log.hpp>
#include <cordon/runtime/composition.hpp>
#include <cordon/sandbox/mode.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

/// What every command takes: the composition and how to talk about it.
struct GlobalOptions {
    CompositionOptions composition;
    bool keep_going = false;
    LogLevel log_level = LogLevel::warn;
    bool json = false;
};

/// Which policy a command asks for.
struct PolicyOptions {
    std::optional<SandboxMode> mode;
    /// As it was written; relative to the working directory.
    std::optional<std::filesystem::path> workspace;
};

struct RunOptions {
    PolicyOptions policy;
    std::optional<std::filesystem::path> cwd;
    std::optional<std::chrono::milliseconds> timeout;
    std::map<std::string, std::optional<std::string>> env;
    /// A file, or `-` for our own standard input.
    std::optional<std::string> stdin_source;
    std::vector<std::string> words;
};

struct ConfineOptions {
    PolicyOptions policy;
    std::vector<std::string> argv;
};

struct ProfileCommand {
    enum class Action { list, init, add_bundle, remove_bundle };

    Action action = Action::list;
    std::string name;
    std::string bundle;
};

enum class GraphFormat { mermaid, dot, svg };

enum class Command { run, confine, compose, check, eval, doctor, plugins, graph, profile };

struct Options {
    Command command = Command::run;
    GlobalOptions global;
    RunOptions run;
    ConfineOptions confine;
    ProfileCommand profile;
    /// Of `plugins show`; empty for the list.
    std::string plugin;
    /// Of `eval`.
    std::string expression;
    std::optional<std::filesystem::path> eval_scope;
    GraphFormat graph_format = GraphFormat::mermaid;
};

/// Thrown where the arguments cannot be used, or ask for help only: what to print, and the status.
struct UsageExit {
    int status;
    /// Help goes to standard output, complaints to standard error.
    bool to_stdout;
    std::string text;
};

/// `argv[0]` is the program's name.
[[nodiscard]] Options parse_options(const std::vector<std::string>& argv);

}  // namespace cordon::cli
