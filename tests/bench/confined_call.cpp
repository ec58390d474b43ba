// What one confined call costs in a running host, beside vfork and exec of the same command. The
// variants run in shuffled turns, so a drift of the machine meets all of them alike.
//
//   confined_call [ROUNDS]     default: 300 rounds of `bash -c true`, read-only

#include <cordon/runtime/runtime.hpp>
#include <cordon/sandbox/provider.hpp>
#include <cordon/shell/shell.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

const std::vector<std::string> kCommand{"/bin/bash", "-c", "true"};

/// Runs `task` to its end on `io`.
template <typename Result>
Result wait_for(asio::io_context& io, cordon::Task<Result> task) {
    std::exception_ptr failure;
    std::optional<Result> result;
    asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& thrown, Result value) {
        failure = thrown;
        result.emplace(std::move(value));
    });
    io.restart();
    while (!result && io.run_one() > 0) {}
    if (failure) {
        std::rethrow_exception(failure);
    }
    return std::move(*result);
}

/// A host with the base composition and one layer on top.
class Deployment {
public:
    explicit Deployment(const std::string& layer) {
        const std::string file = "/tmp/cordon-bench-" + std::to_string(::getpid()) + ".patch.yml";
        std::ofstream{file} << layer;
        cordon::BootOptions options;
        options.composition.patches = {file};
        options.cwd = "/";
        runtime_ = wait_for(io_, cordon::Runtime::boot(io_.get_executor(), std::move(options)));
        std::filesystem::remove(file);
    }

    ~Deployment() {
        auto stop = [](cordon::Runtime& runtime) -> cordon::Task<int> {
            co_await runtime.shutdown();
            co_return 0;
        };
        wait_for(io_, stop(*runtime_));
    }

    Deployment(const Deployment&) = delete;
    Deployment& operator=(const Deployment&) = delete;

    void run(cordon::SandboxMode mode) {
        if (wait_for(io_, run_shell(runtime_->context(), mode)) != 0) {
            throw std::runtime_error{"the command did not succeed"};
        }
    }

    cordon::ConfinedArgv confine() { return wait_for(io_, confine_once(runtime_->context())); }

    /// Nanoseconds of one `confine()`, of many in a row.
    double confine_time(int calls) {
        return wait_for(io_, confine_often(runtime_->context(), calls)) / calls;
    }

private:
    static cordon::Task<int> run_shell(cordon::Context context, cordon::SandboxMode mode) {
        const auto shell = context.get<cordon::ShellExecutor>();
        cordon::ShellRequest request;
        request.command = "true";
        request.workdir = "/";
        request.sandbox_policy = cordon::SandboxExecutionPolicy{mode, "/", std::nullopt};
        cordon::ShellSpec spec = co_await shell->resolve(std::move(request));
        const cordon::ShellResult result = co_await shell->run(std::move(spec));
        co_return result.exit.exit_code.value_or(-1);
    }

    static cordon::Task<cordon::ConfinedArgv> confine_once(cordon::Context context) {
        const auto sandbox = context.get<cordon::SandboxProvider>();
        cordon::SandboxPolicy policy{cordon::ConfinedSandboxMode::read_only, "/", std::nullopt};
        co_return co_await sandbox->confine(kCommand, std::move(policy));
    }

    static cordon::Task<double> confine_often(cordon::Context context, int calls) {
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < calls; ++i) {
            co_await confine_once(context);
        }
        co_return std::chrono::duration<double, std::nano>{Clock::now() - start}.count();
    }

    asio::io_context io_;
    std::unique_ptr<cordon::Runtime> runtime_;
};

void spawn(std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const pid_t child = ::vfork();
    if (child == 0) {
        ::execvp(argv[0], argv.data());
        ::_exit(127);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) {
        throw std::runtime_error{words.front() + " did not succeed"};
    }
}

struct Variant {
    std::string name;
    std::function<void()> run;
    std::vector<double> microseconds;
};

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void print(const Variant& variant, double baseline) {
    const double median = quantile(variant.microseconds, 0.5);
    fmt::print(
        "{:<44} median {:7.0f} us  p10 {:7.0f}  p90 {:7.0f}  ratio {:5.2f}\n",
        variant.name,
        median,
        quantile(variant.microseconds, 0.1),
        quantile(variant.microseconds, 0.9),
        median / baseline
    );
}

std::string chain_of(const std::string& settings) {
    return "- id: sandbox\n  config: {" + settings + "}\n";
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
    Deployment native{chain_of("chain: [native, bwrap]")};
    Deployment files{chain_of("chain: [native], containment: files")};
    Deployment landlock{chain_of("chain: [landlock]")};
    Deployment bwrap{chain_of("chain: [bwrap]")};

    const Clock::time_point start = Clock::now();
    const std::vector<std::string> launcher = native.confine().argv;
    const Microseconds first{Clock::now() - start};
    fmt::print("first confine(), with the probe: {:.0f} us\n", first.count());
    fmt::print("confine(), warm: {:.0f} ns\n", native.confine_time(20000));

    constexpr auto kReadOnly = cordon::SandboxMode::read_only;
    std::vector<Variant> variants{
        {"vfork and exec", [] { spawn(kCommand); }, {}},
        {"ctx.shell, unconfined", [&] { native.run(cordon::SandboxMode::danger_full_access); }, {}},
        {"ctx.shell, native, containment: files", [&] { files.run(kReadOnly); }, {}},
        {"ctx.shell, native, containment: processes", [&] { native.run(kReadOnly); }, {}},
        {"ctx.shell, landlock", [&] { landlock.run(kReadOnly); }, {}},
        {"ctx.shell, bwrap with the launcher", [&] { bwrap.run(kReadOnly); }, {}},
        {"cordon-launch, native, containment: processes", [&] { spawn(launcher); }, {}},
        {"bwrap, the reference's profile",
         [] {
             spawn(
                 {"bwrap",
                  "--ro-bind",
                  "/",
                  "/",
                  "--dev",
                  "/dev",
                  "--unshare-pid",
                  "--proc",
                  "/proc",
                  "--die-with-parent",
                  "--",
                  "/bin/bash",
                  "-c",
                  "true"}
             );
         },
         {}}};
    // Shuffled, because what a variant leaves to be torn down is paid by the next one.
    std::vector<Variant*> order;
    for (Variant& variant : variants) {
        order.push_back(&variant);
    }
    std::mt19937 random{1};  // NOLINT(cert-msc51-cpp): the same order in every run
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (Variant* const next : order) {
            Variant& variant = *next;
            const Clock::time_point begin = Clock::now();
            variant.run();
            variant.microseconds.push_back(Microseconds{Clock::now() - begin}.count());
        }
    }
    const double baseline = quantile(variants.front().microseconds, 0.5);
    for (const Variant& variant : variants) {
        print(variant, baseline);
    }
}
