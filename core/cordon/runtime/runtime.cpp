#include <cordon/async/offload.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/context/container.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/utsname.h>
#include <unistd.h>

namespace cordon {

namespace asio = boost::asio;

Runtime::~Runtime() = default;

namespace {

class RunningDeployment final : public Runtime {
public:
    RunningDeployment(const asio::any_io_executor& executor, ComposedDeployment deployment)
        : composition_(std::move(deployment.composition)),
          modules_(std::move(deployment.aliases), std::move(deployment.plugin_path)),
          container_(executor) {}

    [[nodiscard]] Context context() const override { return container_.root(); }

    [[nodiscard]] const Composition& composition() const override { return composition_; }

    [[nodiscard]] const EntryTree& tree() const override { return *tree_; }

    [[nodiscard]] Task<> shutdown() override { return container_.shutdown(); }

    void set_log(LogSink sink, LogLevel threshold) {
        container_.set_log(std::move(sink), threshold);
    }

    /// On the strand.
    Task<> start(MountOptions options) {
        Context root = container_.root();
        for (const Diagnostic& warning : composition_.warnings) {
            root.log(LogLevel::warn, describe(warning));
        }
        Composition rows = composition_;
        tree_ = co_await EntryTree::mount(root, std::move(rows), modules_, std::move(options));
    }

private:
    Composition composition_;
    ModuleResolver modules_;
    Container container_;
    std::shared_ptr<EntryTree> tree_;
};

/// `process.execPath`: the program that embeds the runtime.
std::string program_file() {
    std::error_code error;
    const auto file = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string{} : file.string();
}

/// In the words of `process.arch`.
std::string architecture() {
    utsname system{};
    ::uname(&system);
    const std::string machine = system.machine;
    return machine == "x86_64" ? "x64" : machine == "aarch64" ? "arm64" : machine;
}

/// CORDON_HOME, or `.cordon` in the home directory (spec composition.md 4).
std::string home_folder(const std::map<std::string, std::string, std::less<>>& environment) {
    const auto value_of = [&](std::string_view name) {
        const auto found = environment.find(name);
        return found == environment.end() ? std::string{} : found->second;
    };
    const std::string chosen = value_of("CORDON_HOME");
    const std::string home = value_of("HOME");
    return !chosen.empty() ? chosen : home.empty() ? std::string{} : home + "/.cordon";
}

MountOptions mount_options(const ComposedDeployment& deployment, const BootOptions& options) {
    MountOptions mount;
    mount.base_folder = deployment.base_folder;
    mount.defaults = deployment.defaults;
    mount.keep_going = options.keep_going;
    mount.scope.environment = options.composition.environment;
    mount.scope.cwd = options.cwd;
    mount.scope.pid = ::getpid();
    mount.scope.executable = program_file();
    mount.scope.architecture = architecture();
    mount.scope.version = "v" CORDON_VERSION;
    mount.scope.home = home_folder(options.composition.environment);
    return mount;
}

}  // namespace

Task<std::unique_ptr<Runtime>> Runtime::boot(asio::any_io_executor executor, BootOptions options) {
    const auto compose_files = [&options] {
        return compose_deployment(options.composition);
    };
    ComposedDeployment deployment = co_await offload(compose_files);
    MountOptions mount = mount_options(deployment, options);
    auto runtime = std::make_unique<RunningDeployment>(executor, std::move(deployment));
    runtime->set_log(std::move(options.log), options.log_level);

    std::exception_ptr failure;
    try {
        const auto strand = runtime->context().executor();
        co_await asio::co_spawn(strand, runtime->start(std::move(mount)), asio::use_awaitable);
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await runtime->shutdown();
        std::rethrow_exception(failure);
    }
    co_return runtime;
}

}  // namespace cordon
