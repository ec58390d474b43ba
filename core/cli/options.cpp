#include "options.hpp"

#include "exit_code.hpp"

#include <cordon/base/text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): not declared by every libc

namespace cordon::cli {
namespace {

constexpr std::string_view kVersionText = "cordon " CORDON_VERSION;

SandboxMode parse_mode(const std::string& text) {
    if (const auto mode = parse_sandbox_mode(text)) {
        return *mode;
    }
    throw CLI::ValidationError(
        "--mode",
        fmt::format("expected read-only, workspace-write or danger-full-access, found '{}'", text)
    );
}

/// `500ms`, `2s`, `5m`; positive.
std::chrono::milliseconds parse_duration(const std::string& text) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    constexpr std::int64_t kLongest = std::int64_t{24} * 60 * 60 * 1000;
    const std::int64_t scale = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "m" ? 60'000 : 0;
    if (error != std::errc{} || scale == 0 || count <= 0 || count > kLongest / scale) {
        throw CLI::ValidationError(
            "--timeout",
            fmt::format(
                "expected a duration such as 500ms, 2s or 5m, at most 24 hours, found '{}'", text
            )
        );
    }
    return std::chrono::milliseconds{count * scale};
}

std::pair<std::string, std::string> parse_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw CLI::ValidationError("--env", fmt::format("expected NAME=VALUE, found '{}'", text));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

LogLevel parse_log_level(const std::string& text) {
    static const std::map<std::string, LogLevel> kLevels{
        {"error", LogLevel::error},
        {"warn", LogLevel::warn},
        {"info", LogLevel::info},
        {"debug", LogLevel::debug}};
    const auto found = kLevels.find(text);
    if (found == kLevels.end()) {
        throw CLI::ValidationError(
            "--log", fmt::format("expected error, warn, info or debug, found '{}'", text)
        );
    }
    return found->second;
}

std::map<std::string, std::string, std::less<>> current_environment() {
    std::map<std::string, std::string, std::less<>> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos) {
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

void add_composition_options(CLI::App& app, GlobalOptions& global) {
    CompositionOptions& composition = global.composition;
    app.add_option_function<std::vector<std::string>>(
           "--bundle",
           [&composition](const std::vector<std::string>& names) { composition.bundles = names; },
           "Bundle layer, by name or folder; repeatable. Default: base"
    )
        ->type_name("NAME|DIR")
        ->allow_extra_args(false)
        ->group("Composition");
    app.add_option_function<std::string>(
           "--profile",
           [&composition](const std::string& name) { composition.profile = name; },
           "A deployment of your own: $CORDON_HOME/profiles/NAME"
    )
        ->type_name("NAME")
        ->group("Composition");
    app.add_option_function<std::string>(
           "--config",
           [&composition](const std::string& file) { composition.config = file; },
           "Entry list to start from, without the default bundle"
    )
        ->type_name("FILE")
        ->group("Composition");
    app.add_option("--patch", composition.patches, "Overlay; repeatable, applied in order")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group("Composition");
    app.add_option(
           "--plugin-path",
           composition.plugin_path,
           "Folder searched for plugins before CORDON_PLUGIN_PATH and the installed ones; "
           "repeatable"
    )
        ->type_name("DIR")
        ->allow_extra_args(false)
        ->group("Composition");
    app.add_flag(
           "--keep-going",
           global.keep_going,
           "Start what can start and report the rest; without it one bad row fails the whole"
    )
        ->group("Composition");
    app.add_option_function<std::string>(
           "--log",
           [&global](const std::string& level) { global.log_level = parse_log_level(level); },
           "error, warn (default), info or debug; to standard error"
    )
        ->type_name("LEVEL");
}

void add_policy_options(CLI::App& command, PolicyOptions& policy) {
    command
        .add_option_function<std::string>(
            "--mode",
            [&policy](const std::string& text) { policy.mode = parse_mode(text); },
            "read-only, workspace-write or danger-full-access. Default: the composition's"
        )
        ->type_name("MODE");
    command
        .add_option_function<std::string>(
            "--workspace",
            [&policy](const std::string& folder) {
                if (folder.empty()) {
                    throw CLI::ValidationError("--workspace", "expected a folder, found nothing");
                }
                policy.workspace = folder;
            },
            "Folder that workspace-write may write in. Default: the composition's"
        )
        ->type_name("DIR");
}

void add_json_flag(CLI::App& command, GlobalOptions& global) {
    command.add_flag("--json", global.json, "One JSON document on standard output");
}

void add_run(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("run", "Runs one command under the composition");
    RunOptions& run = options.run;
    command->callback([&options] { options.command = Command::run; });
    command->footer(
        "One word is shell source, several words are a program and its arguments.\n"
        "The exit status is the command's; 128+n for signal n, 124 when --timeout ended it,\n"
        "125 when it could not be run. Without --timeout the composition's own applies (120 s in "
        "base).\n\n"
        "Example:\n  cordon run --workspace . -- 'make > build.log'"
    );
    add_policy_options(*command, run.policy);
    command
        ->add_option_function<std::string>(
            "--cwd",
            [&run](const std::string& folder) { run.cwd = folder; },
            "Working directory, relative to the workspace. Default: the workspace if one is given"
        )
        ->type_name("DIR");
    command
        ->add_option_function<std::string>(
            "--timeout",
            [&run](const std::string& text) { run.timeout = parse_duration(text); },
            "End the command after this time: 500ms, 2s, 5m"
        )
        ->type_name("DUR");
    command
        ->add_option_function<std::vector<std::string>>(
            "--env",
            [&run](const std::vector<std::string>& entries) {
                for (const std::string& entry : entries) {
                    auto [name, value] = parse_assignment(entry);
                    run.env.insert_or_assign(std::move(name), std::move(value));
                }
            },
            "Variable of the command; repeatable"
        )
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option_function<std::string>(
            "--stdin",
            [&run](const std::string& source) { run.stdin_source = source; },
            "File to read, or - for our own standard input. Default: nothing to read"
        )
        ->type_name("FILE|-");
    add_json_flag(*command, options.global);
    command->add_option("command", run.words, "Shell source, or a program and its arguments")
        ->type_name("WORD")
        ->required();
}

void add_confine(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("confine", "Prints the argv that runs a program confined");
    command->callback([&options] { options.command = Command::confine; });
    command->footer(
        "Spawn what it prints in place of your own argv.\n\n"
        "Example:\n  cordon confine --mode read-only -- make test"
    );
    add_policy_options(*command, options.confine.policy);
    add_json_flag(*command, options.global);
    command->add_option("argv", options.confine.argv, "The program and its arguments")
        ->type_name("WORD")
        ->required();
}

void add_compose(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("compose", "Prints the composed rows as one YAML document");
    command->callback([&options] { options.command = Command::compose; });
    command->footer(
        "Starts nothing and evaluates nothing. Patches that match nothing are warnings.\n\n"
        "Example:\n  cordon compose --patch my.patch.yml"
    );
    add_json_flag(*command, options.global);
}

void add_check(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("check", "Says everything that can be wrong without starting");
    command->callback([&options] { options.command = Command::check; });
    command->footer(
        "Files, expressions, plugins, their configs, missing providers and circles, all at once.\n"
        "Exits 1 where there is an error; warnings alone are fine.\n\n"
        "Example:\n  cordon check --patch my.patch.yml"
    );
    add_json_flag(*command, options.global);
}

void add_eval(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("eval", "Evaluates one expression as a row's config would see it");
    command->callback([&options] { options.command = Command::eval; });
    command->footer(
        "Prints the value as JSON, or undefined. No service is there but those of --scope.\n\n"
        "Example:\n  cordon eval 'process.env.PORT ?? 80'"
    );
    command->add_option("EXPR", options.expression, "What stands behind !!js")->required();
    command
        ->add_option_function<std::string>(
            "--scope",
            [&options](const std::string& file) { options.eval_scope = file; },
            "JSON file with any of environment, platform, cwd and services, in place of the real"
        )
        ->type_name("FILE");
    add_json_flag(*command, options.global);
}

void add_doctor(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("doctor", "Says what can be enforced on this host, and why not more");
    command->callback([&options] { options.command = Command::doctor; });
    command->footer("Exits 0 when some confined mode can be enforced.\n\nExample:\n  cordon doctor"
    );
    add_json_flag(*command, options.global);
}

void add_plugins(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("plugins", "Lists the plugins that can be composed");
    command->callback([&options] { options.command = Command::plugins; });
    command->footer("Example:\n  cordon plugins show sandbox-policy");
    add_json_flag(*command, options.global);
    CLI::App* show = command->add_subcommand(
        "show", "Version, services and the config with its defaults of one plugin"
    );
    show->add_option("NAME", options.plugin, "As a composition would call it")->required();
    add_json_flag(*show, options.global);
}

GraphFormat parse_graph_format(const std::string& text) {
    if (text == "mermaid") {
        return GraphFormat::mermaid;
    }
    if (text == "dot") {
        return GraphFormat::dot;
    }
    if (text == "svg") {
        return GraphFormat::svg;
    }
    throw CLI::ValidationError(
        "--format", fmt::format("expected mermaid, dot or svg, found '{}'", text)
    );
}

void add_graph(CLI::App& app, Options& options) {
    CLI::App* command =
        app.add_subcommand("graph", "Draws the rows, their services and who waits for whom");
    command->callback([&options] { options.command = Command::graph; });
    command->footer(
        "What can start is started for it; rows that cannot are marked with the reason.\n"
        "svg is drawn by the program dot (graphviz).\n\n"
        "Example:\n  cordon graph --format svg > rows.svg"
    );
    command
        ->add_option_function<std::string>(
            "--format",
            [&options](const std::string& text) {
                options.graph_format = parse_graph_format(text);
            },
            "mermaid (default), dot or svg"
        )
        ->type_name("FORMAT");
}

void add_profile(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("profile", "Makes and changes deployments of your own");
    command->require_subcommand(1);
    command->footer("Example:\n  cordon profile init work\n  cordon --profile work compose");
    ProfileCommand& profile = options.profile;
    const auto add = [&](const char* name, const char* what, ProfileCommand::Action action) {
        CLI::App* sub = command->add_subcommand(name, what);
        sub->callback([&options, action] {
            options.command = Command::profile;
            options.profile.action = action;
        });
        return sub;
    };
    CLI::App* list = add("list", "Profiles and their bundles", ProfileCommand::Action::list);
    add_json_flag(*list, options.global);
    CLI::App* init =
        add("init",
            "Makes the files of a profile; those that are there stay as they are",
            ProfileCommand::Action::init);
    init->add_option("NAME", profile.name)->required();
    for (CLI::App* sub :
         {add("add-bundle", "Adds a bundle to the end", ProfileCommand::Action::add_bundle),
          add("remove-bundle", "Takes a bundle away", ProfileCommand::Action::remove_bundle)}) {
        sub->add_option("NAME", profile.name)->required();
        sub->add_option("BUNDLE", profile.bundle, "By name, or a folder")->required();
    }
}

/// Whether the caller expects the status of a command, so that our own complaints must not look
/// like one.
bool runs_a_command(const std::vector<std::string>& argv) {
    const auto end = std::find(argv.begin(), argv.end(), "--");
    return std::any_of(argv.begin(), end, [](const std::string& word) {
        return word == "run" || word == "confine";
    });
}

std::string error_text(const CLI::App& app, const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    const std::string help = commands.empty()
                                 ? "cordon --help"
                                 : fmt::format("cordon {} --help", commands[0]->get_name());
    return fmt::format("cordon: {}\nSee '{}'.\n", error.what(), help);
}

}  // namespace

Options parse_options(const std::vector<std::string>& argv) {
    Options options;
    options.global.composition.environment = current_environment();
    CLI::App app{"Runs commands confined by a composed sandbox", "cordon"};
    app.footer("The options under Composition go with every command.");
    app.set_version_flag("--version", std::string{kVersionText});
    app.require_subcommand(1);
    app.fallthrough();
    add_composition_options(app, options.global);
    add_run(app, options);
    add_confine(app, options);
    add_compose(app, options);
    add_check(app, options);
    add_eval(app, options);
    add_doctor(app, options);
    add_plugins(app, options);
    add_graph(app, options);
    add_profile(app, options);

    // CLI11 takes the arguments without the program's name, last one first.
    std::vector<std::string> reversed{argv.rbegin(), std::prev(argv.rend())};
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            std::ostringstream text;
            app.exit(error, text, text);
            throw UsageExit{0, /*to_stdout=*/true, text.str()};
        }
        throw UsageExit{
            runs_a_command(argv) ? kCannotRun : kUsage,
            /*to_stdout=*/false,
            error_text(app, error)};
    }
    return options;
}

}  // namespace cordon::cli
