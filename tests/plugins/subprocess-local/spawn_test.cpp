#include "with_service.hpp"

#include <cordon/process/environment.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <support/temporary_folder.hpp>

namespace {

namespace fs = std::filesystem;
using namespace cordon::testing;

/// The failure to start `spec`, or an empty one.
cordon::Task<std::shared_ptr<cordon::SpawnError>> failure_of(
    LocalSubprocess& service, cordon::SpawnSpec spec
) {
    try {
        const auto handle = co_await service.spawn(std::move(spec));
    } catch (const cordon::SpawnError& error) {
        co_return std::make_shared<cordon::SpawnError>(error);
    }
    co_return nullptr;
}

cordon::Task<cordon::ExitStatus> wait_and_stop(
    cordon::ProcessHandle* handle, LocalSubprocess* service
) {
    auto status = co_await handle->wait();
    co_await service->stop();
    co_return status;
}

/// Does what the test says in the child, where only system calls are allowed.
class ScriptedConfinement final : public cordon::ChildConfinement {
public:
    explicit ScriptedConfinement(const char* failing_step) : failing_step_(failing_step) {}

    [[nodiscard]] unsigned long namespaces() const noexcept override { return 0; }

    [[nodiscard]] cordon::ChildFailure become(const cordon::ChildProgram& program
    ) const noexcept override {
        if (failing_step_ != nullptr) {
            return {failing_step_, EPERM, "/somewhere"};
        }
        ::syscall(SYS_chdir, program.cwd);
        ::syscall(SYS_umask, 0123);
        ::syscall(SYS_execve, program.path, program.argv, program.envp);
        return {"exec", errno, program.path};
    }

private:
    const char* failing_step_;
};

bool has_children() {
    return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

}  // namespace

TEST_SUITE("spawn with a confinement") {
    TEST_CASE("lets it execute the program, in the directory and with the streams of the call") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"/bin/sh", "-c", "pwd; umask; echo $0 $#; exit 3", "a b"});
            spec.cwd = "/usr";
            spec.confinement = std::make_shared<ScriptedConfinement>(nullptr);
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "/usr\n0123\na b 0\n");
            CHECK(result.status == cordon::ExitStatus{3, std::nullopt});
        });
    }

    TEST_CASE("says which step of it failed, and leaves no child behind") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"/bin/true"});
            spec.confinement = std::make_shared<ScriptedConfinement>("view");
            const auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->origin() == cordon::SpawnError::Origin::confinement);
            CHECK(failure->step() == "view");
            CHECK(failure->subject() == "/somewhere");
            CHECK(failure->error() == EPERM);
            CHECK(
                failure->message() ==
                "the confinement failed at view '/somewhere': Operation not permitted (EPERM)"
            );
            CHECK_FALSE(has_children());
        });
    }

    TEST_CASE("tells a command that cannot be executed from a confinement that failed") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"/bin/sh"});
            spec.argv = {"/nonexistent"};
            spec.confinement = std::make_shared<ScriptedConfinement>(nullptr);
            const auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->origin() == cordon::SpawnError::Origin::process);
            CHECK(failure->step() == "exec");
            CHECK(failure->error() == ENOENT);
        });
    }
}

TEST_SUITE("spawn") {
    TEST_CASE("passes argv on verbatim, without a shell") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"printf", "%s|", "a b", "$HOME", "*", ""});
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "a b|$HOME|*||");
            CHECK(result.status == cordon::ExitStatus{0, std::nullopt});
        });
    }

    TEST_CASE("runs in the working directory that was asked for") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const TemporaryFolder folder;
            auto spec = spec_of({"pwd", "-P"});
            spec.cwd = folder.path();
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == fs::canonical(folder.path()).string() + "\n");
        });
    }

    TEST_CASE("a missing working directory is an error of its own (field-59)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"true"});
            spec.cwd = "/no/such/folder";
            const auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->message() == "working directory does not exist: /no/such/folder");
            CHECK(failure->step() == "chdir");
        });
    }

    TEST_CASE("a missing program is told apart from a missing directory") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"cordon-no-such-program"});
            auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->step() == "exec");
            CHECK(failure->error() == ENOENT);
            spec = spec_of({"/no/such/program"});
            failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->error() == ENOENT);
            CHECK(failure->subject() == "/no/such/program");
        });
    }

    TEST_CASE("a file that is not executable fails with EACCES") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const TemporaryFolder folder;
            auto spec = spec_of({folder.write("plain", "text")});
            const auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->error() == EACCES);
        });
    }

    TEST_CASE("a failed start leaves no zombie (field-81)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"/no/such/program"});
            co_await failure_of(service, std::move(spec));
            CHECK_FALSE(has_children());
        });
    }

    TEST_CASE("looks the program up in the PATH of the child (SU-12)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const TemporaryFolder folder;
            const auto program = folder.write("bin/cordon-own-tool", "#!/bin/sh\necho found\n");
            fs::permissions(program, fs::perms::owner_all);
            auto spec = spec_of({"cordon-own-tool"});
            spec.env["PATH"] = (folder.path() / "bin").string();
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "found\n");
        });
    }

    TEST_CASE("an argument that the kernel does not take is a typed error (field-100)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = bash(": " + std::string(131'072, 'x'));
            const auto failure = co_await failure_of(service, std::move(spec));
            REQUIRE(failure);
            CHECK(failure->error() == E2BIG);
        });
    }

    TEST_CASE("the longest argument that the kernel takes works (field-100)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = bash(": " + std::string(131'000, 'x'));
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.status.exit_code == 0);
        });
    }

    TEST_CASE("scrubs credentials of the host and applies the changes of the call (SU-20)") {
        ::setenv("CORDON_TEST_AMBIENT", "1", 1);
        ::setenv("MY_SECRET", "1", 1);
        ::setenv("BASH_ENV", "/no/such/file", 1);
        ::setenv("PLAIN_AMBIENT", "kept", 1);
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({"env"});
            spec.env["ADDED_TOKEN"] = "explicit";
            const auto result = co_await finish(service, std::move(spec));
            const std::string text = "\n" + result.output.text;
            CHECK(text.find("\nPLAIN_AMBIENT=kept\n") != std::string::npos);
            CHECK(text.find("\nADDED_TOKEN=explicit\n") != std::string::npos);
            CHECK(text.find("MY_SECRET") == std::string::npos);
            CHECK(text.find("CORDON_TEST_AMBIENT") == std::string::npos);
            CHECK(text.find("BASH_ENV") == std::string::npos);
        });
        for (const char* name : {"CORDON_TEST_AMBIENT", "MY_SECRET", "BASH_ENV", "PLAIN_AMBIENT"}) {
            ::unsetenv(name);
        }
    }

    TEST_CASE("no descriptor of the host reaches the child but the mapped ones (W-9)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            // Without close-on-exec, as careless libraries open files.
            const cordon::UniqueFd open_in_host{::dup(0)};
            auto spec = spec_of({CORDON_PROBE_PROCESS, "descriptors"});
            auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "0 1 2 ");
            const cordon::Pipe pipe = cordon::make_pipe();
            spec = spec_of({CORDON_PROBE_PROCESS, "descriptors"});
            spec.descriptors = {{5, pipe.write.get()}};
            result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "0 1 2 5 ");
        });
    }

    TEST_CASE("descriptors that trade places arrive at the right numbers") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            const TemporaryFolder folder;
            const cordon::UniqueFd one{::creat((folder.path() / "one").c_str(), 0600)};
            const cordon::UniqueFd two{::creat((folder.path() / "two").c_str(), 0600)};
            auto spec = bash(
                "echo 1 >&" + std::to_string(two.get()) + "; echo 2 >&" + std::to_string(one.get())
            );
            spec.descriptors = {{one.get(), two.get()}, {two.get(), one.get()}};
            co_await finish(service, std::move(spec));
            CHECK(read_file(folder.path() / "one") == "1\n");
            CHECK(read_file(folder.path() / "two") == "2\n");
        });
    }

    TEST_CASE("the child leads a session of its own without a terminal (SU-7, field-85)") {
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({CORDON_PROBE_PROCESS, "session"});
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "session own, group own, terminal none");
        });
    }

    TEST_CASE("signals that the host blocks or ignores are as usual in the child") {
        sigset_t blocked;
        ::sigemptyset(&blocked);
        ::sigaddset(&blocked, SIGUSR1);
        ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
        const auto before = std::signal(SIGUSR2, SIG_IGN);
        with_service([](LocalSubprocess& service) -> cordon::Task<> {
            auto spec = spec_of({CORDON_PROBE_PROCESS, "signals"});
            const auto result = co_await finish(service, std::move(spec));
            CHECK(result.output.text == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
        });
        std::signal(SIGUSR2, before);
        ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
    }

    TEST_CASE("a process lives on when the thread that asked for it ends (W-28)") {
        boost::asio::io_context io;
        LocalSubprocess service{
            io.get_executor(), {}, [](const std::string&, const std::exception_ptr&) {
            }};
        std::unique_ptr<cordon::ProcessHandle> handle;
        const cordon::Pipe pipe = cordon::make_pipe();
        auto spec = bash("read -r line; echo $line");
        spec.stdin_mode = cordon::InheritDescriptor{pipe.read.get()};
        std::thread asking{[&] {
            boost::asio::co_spawn(
                io,
                service.spawn(std::move(spec)),
                [&](const std::exception_ptr&, std::unique_ptr<cordon::ProcessHandle> started) {
                    handle = std::move(started);
                    io.stop();
                }
            );
            io.run();
        }};
        asking.join();
        REQUIRE(handle);
        CHECK(::write(pipe.write.get(), "alive\n", 6) == 6);
        io.restart();
        cordon::ExitStatus status;
        boost::asio::co_spawn(
            io,
            wait_and_stop(handle.get(), &service),
            [&](const std::exception_ptr&, cordon::ExitStatus ended) { status = std::move(ended); }
        );
        io.run();
        CHECK(status == cordon::ExitStatus{0, std::nullopt});
    }
}
