#include "commands.hpp"
#include "exit_code.hpp"
#include "forwarded_stream.hpp"
#include "json_output.hpp"
#include "policy.hpp"
#include "session.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/base/unique_fd.hpp>
#include <cordon/process/signal.hpp>
#include <cordon/sandbox/markers.hpp>
#include <cordon/shell/shell.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace cordon::cli {
namespace {

namespace json = boost::json;

/// The two streams of a command that is not asked for JSON.
struct Streams {
    std::shared_ptr<ForwardedStream> out;
    std::shared_ptr<ForwardedStream> err;
};

/// One word is shell source; of several, each stays one word.
std::string command_source(const std::vector<std::string>& words) {
    return words.size() == 1 ? words.front() : shell_join(words);
}

std::string working_directory(const RunOptions& options) {
    const auto workspace = absolute_workspace(options.policy);
    const std::filesystem::path base =
        workspace ? std::filesystem::path{*workspace} : current_folder();
    return options.cwd ? (base / *options.cwd).string() : base.string();
}

/// What the command reads, open until it was started.
struct Input {
    InputMode mode = NoInput{};
    UniqueFd file;
};

/// May wait for a writer, so it is called before anything else is under way.
Input open_input(const std::optional<std::string>& source) {
    Input input;
    if (source == "-") {
        input.mode = InheritDescriptor{STDIN_FILENO};
    } else if (source) {
        input.file.reset(::open(source->c_str(), O_RDONLY | O_CLOEXEC));
        if (!input.file) {
            throw system_error("open", *source, errno);
        }
        input.mode = InheritDescriptor{input.file.get()};
    }
    return input;
}

/// A run as it was asked for.
struct Run {
    const GlobalOptions& global;
    const RunOptions& options;
    const InputMode& input;
};

json::object describe_stream(const CollectedOutput& output) {
    json::object description{
        {"text", output.text}, {"bytes", output.bytes}, {"truncated", output.truncated}};
    if (output.spill_path) {
        description["spillPath"] = *output.spill_path;
    } else {
        description["spillPath"] = nullptr;
    }
    return description;
}

json::value describe_sandbox(const std::optional<SandboxFacts>& facts) {
    if (!facts) {
        return nullptr;
    }
    json::object description{
        {"mode", to_string(facts->mode)},
        {"enforcement", nullptr},
        {"denied", facts->denied},
        {"runnerFailed", false},
        {"backend", nullptr},
        {"reasons", strings(facts->reasons)},
        {"evidence", strings(facts->evidence)}};
    if (facts->enforcement) {
        description["enforcement"] = to_string(*facts->enforcement);
        description["backend"] = facts->backend;
    }
    return description;
}

void print_json(const ShellResult& result) {
    json::object document{
        {"exitCode", nullptr},
        {"signal", nullptr},
        {"timedOut", result.timed_out},
        {"aborted", result.aborted},
        {"durationMs", result.duration.count()},
        {"stdout", describe_stream(result.stdout_output)},
        {"stderr", describe_stream(result.stderr_output)},
        {"sandbox", describe_sandbox(result.sandbox)}};
    if (result.exit.exit_code) {
        document["exitCode"] = *result.exit.exit_code;
    }
    if (result.exit.signal) {
        document["signal"] = *result.exit.signal;
    }
    print_document(document);
}

int exit_status(const ShellResult& result) {
    if (result.timed_out) {
        return kTimedOut;
    }
    if (result.exit.signal) {
        return kSignalBase + signal_number(*result.exit.signal).value_or(0);
    }
    return result.exit.exit_code.value_or(kCannotRun);
}

/// What the user should know beside the command's own output, a line each; the seed's marker is the
/// last.
std::vector<std::string> remarks(const ShellResult& result, const GlobalOptions& options) {
    std::vector<std::string> lines;
    if (result.timed_out) {
        lines.push_back(fmt::format(
            "cordon: ended after {} ms. A longer --timeout is capped by maxTimeoutMs of the "
            "executor's row.",
            result.timeout.count()
        ));
    }
    const auto& facts = result.sandbox;
    const bool is_partial = facts && facts->enforcement == SandboxEnforcement::partial;
    if (is_partial && options.log_level != LogLevel::error) {
        lines.push_back(fmt::format(
            "cordon: warning: the backend '{}' enforces {} only in part: {}",
            facts->backend,
            to_string(facts->mode),
            join(facts->reasons, "; ")
        ));
    }
    if (facts && facts->denied) {
        lines.push_back(sandbox_denial_marker(facts->mode));
    }
    return lines;
}

/// On standard error, after the command's own.
Task<> print_remarks(std::shared_ptr<ForwardedStream> stream, std::vector<std::string> lines) {
    std::string text;
    if (!lines.empty() && !stream->at_line_start()) {
        text = "\n";
    }
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    co_await stream->write(text);
}

Task<ShellRequest> make_request(Context context, Run run) {
    const RunOptions& options = run.options;
    ShellRequest request;
    request.command = command_source(options.words);
    request.workdir = working_directory(options);
    request.timeout = options.timeout;
    request.stdin_mode = run.input;
    request.env = options.env;
    request.sandbox_policy = co_await resolve_policy(context, options.policy);
    co_return request;
}

ServiceHandle<ShellExecutor> require_shell(const Context& context) {
    auto shell = context.get<ShellExecutor>();
    if (!shell) {
        throw Error{
            "no row of this composition provides the service 'shell', which runs commands. Add "
            "a row with the plugin 'bash-sandbox'.",
            "SERVICE_UNAVAILABLE"};
    }
    return shell;
}

Task<ShellResult> execute(Context context, Run run, Streams streams) {
    const auto shell = require_shell(context);
    ShellRequest request = co_await make_request(context, run);
    if (streams.out) {
        request.on_stdout = streams.out->sink();
        request.on_stderr = streams.err->sink();
    }
    ShellSpec spec = co_await shell->resolve(std::move(request));
    ShellResult result = co_await shell->run(std::move(spec));
    co_return result;
}

Task<int> run_and_print(Context context, Run run) {
    const Streams not_forwarded;
    ShellResult result = co_await execute(context, run, not_forwarded);
    print_json(result);
    co_return exit_status(result);
}

Task<int> run_and_stream(Session session, Run run) {
    const auto on_closed = [interrupt = session.interrupt](int error) {
        if (error != EPIPE) {
            print_to(stderr, "cordon: {}\n", system_error("write", "the output", error).message());
        }
        interrupt(SIGPIPE);
    };
    Streams streams;
    streams.out = std::make_shared<ForwardedStream>(STDOUT_FILENO, on_closed);
    streams.err = std::make_shared<ForwardedStream>(STDERR_FILENO, on_closed);
    const ShellResult result = co_await execute(session.runtime.context(), run, streams);
    std::vector<std::string> lines = remarks(result, run.global);
    co_await print_remarks(streams.err, std::move(lines));
    co_return exit_status(result);
}

}  // namespace

int run_command(const Options& options) {
    const Input input = open_input(options.run.stdin_source);
    const Run run{options.global, options.run, input.mode};
    return run_session(options.global, [&options, run](Session session) {
        return options.global.json ? run_and_print(session.runtime.context(), run)
                                   : run_and_stream(std::move(session), run);
    });
}

}  // namespace cordon::cli
