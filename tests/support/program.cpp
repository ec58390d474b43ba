#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <support/program.hpp>

namespace cordon::testing {
namespace {

struct Ends {
    int read = -1;
    int write = -1;
};

Ends open_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error{"pipe2 failed"};
    }
    return Ends{ends[0], ends[1]};
}

[[noreturn]] void become(
    const std::vector<std::string>& argv, const ProgramOptions& options, std::array<int, 3> stdio
) {
    for (int fd = 0; fd < 3; ++fd) {
        ::dup2(stdio[static_cast<std::size_t>(fd)], fd);
    }
    for (const auto& [name, value] : options.env) {
        if (value) {
            ::setenv(name.c_str(), value->c_str(), 1);
        } else {
            ::unsetenv(name.c_str());
        }
    }
    std::vector<char*> words;
    for (const std::string& word : argv) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    if (::chdir(options.cwd.c_str()) == 0) {
        ::execvp(words[0], words.data());
    }
    ::_exit(127);
}

/// Reads what there is; closes the descriptor at its end.
void drain(int& fd, std::string& text) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
        ::close(fd);
        fd = -1;
    }
}

/// Gives the program its input; closes the descriptor when all is written or nobody reads.
void feed(int& fd, std::string_view& input) {
    const ssize_t count = ::write(fd, input.data(), input.size());
    if (count >= 0) {
        input.remove_prefix(static_cast<std::size_t>(count));
    }
    if (input.empty() || (count < 0 && errno != EINTR)) {
        ::close(fd);
        fd = -1;
    }
}

std::filesystem::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error{std::string{name} + " is not set; run the tests through ctest"};
    }
    return value;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& argv, const ProgramOptions& options) {
    Ends in = open_pipe();
    Ends out = open_pipe();
    Ends err = open_pipe();
    const pid_t child = ::fork();
    if (child == 0) {
        become(argv, options, {in.read, out.write, err.write});
    }
    ::close(in.read);
    ::close(out.write);
    ::close(err.write);

    ProgramResult result;
    std::string_view input = options.input;
    if (input.empty()) {
        ::close(in.write);
        in.write = -1;
    }
    while (out.read >= 0 || err.read >= 0) {
        std::array<pollfd, 3> waits{
            pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}, pollfd{in.write, POLLOUT, 0}};
        ::poll(waits.data(), waits.size(), -1);
        if (waits[0].revents != 0) {
            drain(out.read, result.out);
        }
        if (waits[1].revents != 0) {
            drain(err.read, result.err);
        }
        if (waits[2].revents != 0) {
            feed(in.write, input);
        }
    }
    if (in.write >= 0) {
        ::close(in.write);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::filesystem::path cordon_program() {
    return environment_path("CORDON_TEST_STAGE") / "bin" / "cordon";
}

std::filesystem::path fixture_plugins() {
    return environment_path("CORDON_TEST_STAGE").parent_path() / "tests" / "fixtures" / "plugins";
}

std::filesystem::path source_root() {
    return environment_path("CORDON_TEST_SOURCE");
}

}  // namespace cordon::testing
