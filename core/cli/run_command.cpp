#include "commands.hpp"
#include "exit_code.hpp"
#include "forwarded_stream.hpp"
#include "json_output.hpp"
#include "policy.hpp"
#include "session.hpp"

#include <cordon/base/error.hpp>
#include <cordon/base/text.hpp>
#include <cordon/base/unique_fd.hpp>
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
#include <string.h>
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
    const std::filesystem::path base =
        absolute_workspace(options.policy).value_or(std::filesystem::current_path().string());
    return options.cwd ? (base / *options.cwd).string() : base.string();
}

/// The descriptor must stay open until the command was started.
InputMode open_input(const std::optional<std::string>& source, UniqueFd& file) {
    if (!source) {
        return NoInput{};
    }
    if (*source == "-") {
        return InheritDescriptor{STDIN_FILENO};
    }
    file.reset(::open(source->c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        throw system_error("open", *source, errno);
    }
    return InheritDescriptor{file.get()};
}

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

/// `SIGKILL` is 9; 0 for a name that this libc does not know.
int signal_number(const std::string& name) {
    for (int number = 1; number < NSIG; ++number) {
        const char* abbreviation = ::sigabbrev_np(number);
        if (abbreviation != nullptr && name == std::string{"SIG"} + abbreviation) {
            return number;
        }
    }
    return 0;
}

int exit_status(const ShellResult& result) {
    if (result.timed_out) {
        return kTimedOut;
    }
    if (result.exit.signal) {
        return kSignalBase + signal_number(*result.exit.signal);
    }
    return result.exit.exit_code.value_or(kCannotRun);
}

/// The seed's marker, as the last line of standard error.
Task<> print_denial(std::shared_ptr<ForwardedStream> stream, SandboxMode mode) {
    const std::string line_end = stream->at_line_start() ? "" : "\n";
    const std::string text = line_end + sandbox_denial_marker(mode) + "\n";
    co_await stream->write(text);
}

Task<ShellRequest> make_request(Context context, const RunOptions& options) {
    ShellRequest request;
    request.command = command_source(options.words);
    request.workdir = working_directory(options);
    request.timeout = options.timeout;
    request.env = options.env;
    request.sandbox_policy = co_await resolve_policy(context, options.policy);
    co_return request;
}

ServiceHandle<ShellExecutor> require_shell(const Context& context) {
    auto shell = context.get<ShellExecutor>();
    if (!shell) {
        throw Error{
            "no row of this composition provides the service 'shell', which runs commands. Add a "
            "row with "
            "the plugin 'bash-sandbox'.",
            "SERVICE_UNAVAILABLE"};
    }
    return shell;
}

Task<ShellResult> execute(Context context, const RunOptions& options, Streams streams) {
    const auto shell = require_shell(context);
    ShellRequest request = co_await make_request(context, options);
    UniqueFd input;
    request.stdin_mode = open_input(options.stdin_source, input);
    if (streams.out) {
        request.on_stdout = streams.out->sink();
        request.on_stderr = streams.err->sink();
    }
    ShellSpec spec = co_await shell->resolve(std::move(request));
    ShellResult result = co_await shell->run(std::move(spec));
    co_return result;
}

Task<int> run_and_print(Context context, const RunOptions& options) {
    const Streams not_forwarded;
    ShellResult result = co_await execute(context, options, not_forwarded);
    print_json(result);
    co_return exit_status(result);
}

Task<int> run_and_stream(Session session, const RunOptions& options) {
    const auto on_closed = [interrupt = session.interrupt] {
        interrupt(SIGPIPE);
    };
    Streams streams;
    streams.out = std::make_shared<ForwardedStream>(STDOUT_FILENO, on_closed);
    streams.err = std::make_shared<ForwardedStream>(STDERR_FILENO, on_closed);
    const ShellResult result = co_await execute(session.runtime.context(), options, streams);
    if (result.sandbox && result.sandbox->denied) {
        co_await print_denial(streams.err, result.sandbox->mode);
    }
    co_return exit_status(result);
}

}  // namespace

int run_command(const Options& options) {
    return run_session(options.global, [&options](Session session) {
        return options.global.json ? run_and_print(session.runtime.context(), options.run)
                                   : run_and_stream(std::move(session), options.run);
    });
}

}  // namespace cordon::cli
