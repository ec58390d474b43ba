#include <cordon/async/offload.hpp>
#include <cordon/async/shield.hpp>
#include <cordon/base/diagnostic.hpp>
#include <cordon/context/container.hpp>
#include <cordon/loader/check.hpp>
#include <cordon/loader/row_scope.hpp>
#include <cordon/runtime/check.hpp>
#include <cordon/runtime/follower.hpp>
#include <cordon/runtime/home.hpp>
#include <cordon/runtime/runtime.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
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

/// How long a plugin may take to start or stop before that is logged.
constexpr std::chrono::seconds kPatience{30};

class RunningDeployment final : public Runtime {
public:
    RunningDeployment(const asio::any_io_executor& executor, ComposedDeployment deployment)
        : deployment_(std::move(deployment)),
          modules_(deployment_.aliases, deployment_.plugin_path),
          container_(executor) {
        container_.report_stalls(kPatience);
    }

    [[nodiscard]] Context context() const override { return container_.root(); }

    [[nodiscard]] const Composition& composition() const override {
        return deployment_.composition;
    }

    [[nodiscard]] const EntryTree& tree() const override { return *tree_; }

    [[nodiscard]] EntryTree& tree() override { return *tree_; }

    [[nodiscard]] std::size_t watched_folders() const override {
        return follower_ ? follower_->watcher().folder_count() : 0;
    }

    [[nodiscard]] Task<> caught_up() override { return catch_up(*this); }

    [[nodiscard]] Task<> shutdown() override { return stop(*this); }

    void set_log(LogSink sink, LogLevel threshold) {
        container_.set_log(std::move(sink), threshold);
    }

    /// On the strand.
    Task<> start(MountOptions options, std::function<void(const Context&)> prepare) {
        Context root = container_.root();
        if (prepare) {
            prepare(root);
        }
        for (const Diagnostic& warning : composition().warnings) {
            root.log(LogLevel::warn, describe(warning));
        }
        Composition rows = composition();
        tree_ = co_await EntryTree::mount(root, std::move(rows), modules_, std::move(options));
    }

    /// On the strand, after `start()`.
    void follow(CompositionOptions options, WatchOptions watch) {
        follower_ = std::make_unique<Follower>(
            container_.root(), tree_, std::move(options), deployment_, std::move(watch)
        );
        follower_->start();
    }

private:
    static Task<> catch_up(RunningDeployment& self) {
        if (self.follower_) {
            Task<> work = self.follower_->caught_up();
            co_await asio::co_spawn(self.container_.strand(), std::move(work), asio::use_awaitable);
        }
    }

    static Task<> stop(RunningDeployment& self) {
        if (self.follower_) {
            co_await shield(self.container_.strand(), self.follower_->stop());
        }
        co_await self.container_.shutdown();
    }

    ComposedDeployment deployment_;
    ModuleResolver modules_;
    Container container_;
    std::shared_ptr<EntryTree> tree_;
    std::unique_ptr<Follower> follower_;
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

MountOptions mount_options(const ComposedDeployment& deployment, const BootOptions& options) {
    MountOptions mount;
    mount.base_folder = deployment.base_folder;
    mount.defaults = deployment.defaults;
    mount.keep_going = options.keep_going;
    mount.scope = process_scope(options.composition.environment, options.cwd);
    return mount;
}

/// On the strand.
Task<std::vector<Diagnostic>> check_on_strand(
    Context root, const ComposedDeployment& deployment, const BootOptions& options
) {
    if (options.prepare) {
        options.prepare(root);
    }
    ModuleResolver modules{deployment.aliases, deployment.plugin_path};
    Composition composition = deployment.composition;
    MountOptions mount = mount_options(deployment, options);
    co_return co_await check_rows(root, std::move(composition), modules, std::move(mount));
}

}  // namespace

ExpressionScope process_scope(
    const Variables& environment,
    const std::filesystem::path& cwd,
    const std::filesystem::path& base_folder
) {
    ExpressionScope scope;
    scope.environment = environment;
    scope.cwd = cwd;
    scope.pid = ::getpid();
    scope.executable = program_file();
    scope.architecture = architecture();
    scope.version = "v" CORDON_VERSION;
    scope.home = home_folder(environment).string();
    if (!base_folder.empty()) {
        scope.names.emplace("baseUrl", folder_url(base_folder));
    }
    return scope;
}

Task<std::vector<Diagnostic>> check_deployment(
    asio::any_io_executor executor, BootOptions options
) {
    ComposedDeployment deployment;
    std::vector<Diagnostic> found;
    try {
        const auto compose_files = [&options] {
            return compose_deployment(options.composition);
        };
        deployment = co_await offload(compose_files);
    } catch (const DiagnosticError& error) {
        found = error.diagnostics();
    }
    if (!found.empty()) {
        co_return found;
    }
    Container container{executor};
    std::exception_ptr failure;
    try {
        Task<std::vector<Diagnostic>> check =
            check_on_strand(container.root(), deployment, options);
        found = co_await asio::co_spawn(container.strand(), std::move(check), asio::use_awaitable);
    } catch (...) {
        failure = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await container.shutdown();
    if (failure) {
        std::rethrow_exception(failure);
    }
    co_return found;
}

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
        co_await asio::co_spawn(
            strand, runtime->start(std::move(mount), options.prepare), asio::use_awaitable
        );
        if (options.watch) {
            auto follow = [](RunningDeployment& started, BootOptions asked) -> Task<> {
                started.follow(std::move(asked.composition), *std::move(asked.watch));
                co_return;
            };
            Task<> following = follow(*runtime, options);
            co_await asio::co_spawn(strand, std::move(following), asio::use_awaitable);
        }
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
