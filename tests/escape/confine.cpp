// escape-confine --mode read-only|workspace-write --workspace DIR -- COMMAND [ARG]...
//
// Becomes COMMAND, confined by the provider of sandbox-local as a consumer would run it. Stands in
// for a command line, so that the suite depends on the provider only.

#include <cordon/sandbox/loader_variables.hpp>
#include <cordon/sandbox/mode.hpp>
#include <cordon/sandbox/provider.hpp>
#include <cordon/sandbox/runner_argv.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stdlib.h>
#include <unistd.h>

#include <sandbox-local/bwrap_backend.hpp>
#include <sandbox-local/local_provider.hpp>

namespace {

using cordon::ConfinedArgv;
using cordon::SandboxPolicy;
using cordon::Task;
using namespace cordon::sandbox_local;

constexpr int kUsage = 64;
constexpr int kNotConfined = 125;

struct Call {
    SandboxPolicy policy;
    std::vector<std::string> argv;
};

std::optional<Call> parse(const std::vector<std::string>& words) {
    if (words.size() < 6 || words[0] != "--mode" || words[2] != "--workspace" || words[4] != "--") {
        return std::nullopt;
    }
    const auto mode = cordon::parse_sandbox_mode(words[1]);
    const auto confined = mode ? cordon::confined(*mode) : std::nullopt;
    if (!confined) {
        return std::nullopt;
    }
    return Call{{*confined, words[3], std::nullopt}, {words.begin() + 5, words.end()}};
}

Task<> confine_into(LocalProvider& provider, Call call, ConfinedArgv& confined) {
    confined = co_await provider.confine(std::move(call.argv), std::move(call.policy));
    co_await provider.stop();
}

ConfinedArgv confine(Call call) {
    boost::asio::io_context io;
    std::vector<std::shared_ptr<Backend>> chain{
        std::make_shared<BwrapBackend>(look_for_bwrap(std::nullopt), ProbeRun{})};
    LocalProvider provider{io.get_executor(), std::move(chain), [](std::string_view) {
                           }};
    ConfinedArgv confined;
    std::exception_ptr failure;
    boost::asio::co_spawn(
        io,
        confine_into(provider, std::move(call), confined),
        [&](const std::exception_ptr& thrown) { failure = thrown; }
    );
    io.run();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return confined;
}

void apply(const cordon::EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
        value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
}

[[noreturn]] void become(const ConfinedArgv& confined) {
    std::vector<std::string> words =
        cordon::runner_argv(confined, {std::nullopt, std::filesystem::current_path()});
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    apply(cordon::runner_environment(confined, {}));
    ::execv(argv[0], argv.data());
    std::perror(argv[0]);
    ::_exit(kNotConfined);
}

}  // namespace

int main(int argument_count, char** arguments) {
    auto call = parse({arguments + 1, arguments + argument_count});
    if (!call) {
        std::fputs(
            "usage: escape-confine --mode read-only|workspace-write --workspace DIR -- "
            "COMMAND...\n",
            stderr
        );
        return kUsage;
    }
    try {
        become(confine(std::move(*call)));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "escape-confine: %s\n", error.what());
    }
    return kNotConfined;
}
