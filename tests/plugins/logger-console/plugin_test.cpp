#include "../plugin_host.hpp"

#include <cordon/base/unique_fd.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <fcntl.h>
#include <unistd.h>

using namespace cordon;
using namespace cordon::testing;

namespace {

/// What is written to standard error while it lives. Of one page, so that a writer never waits.
class CapturedStderr {
public:
    CapturedStderr() : original_(::dup(STDERR_FILENO)) {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[1]);
        out_ = ends[0];
    }

    ~CapturedStderr() {
        ::dup2(original_, STDERR_FILENO);
        ::close(original_);
        ::close(out_);
    }

    CapturedStderr(const CapturedStderr&) = delete;
    CapturedStderr& operator=(const CapturedStderr&) = delete;

    [[nodiscard]] std::string take() const {
        std::array<char, 4096> buffer{};
        ::fcntl(out_, F_SETFL, O_NONBLOCK);
        const ssize_t size = ::read(out_, buffer.data(), buffer.size());
        return size < 0 ? std::string{}
                        : std::string{buffer.data(), static_cast<std::size_t>(size)};
    }

private:
    int original_;
    int out_ = -1;
};

}  // namespace

TEST_SUITE("logger-console") {
    // LOG-9, LOG-13
    TEST_CASE("writes records to standard error for as long as it runs") {
        PluginHost host;
        const CapturedStderr captured;
        Object levels{{"default", Value{"warn"}}};
        const FiberPtr fiber = host.apply(
            "logger-console", Object{{"showTime", Value{""}}, {"levels", Value{levels}}}
        );
        host.context().logger("a").warn("{} left", 3);
        host.context().logger("a").info("not shown");
        CHECK(captured.take() == "[W] a 3 left\n");

        host.run(fiber->dispose());
        host.context().logger("a").warn("nobody hears");
        CHECK(captured.take().empty());
    }

    TEST_CASE("a config with an unknown key is refused") {
        PluginHost host;
        CHECK_THROWS(host.apply("logger-console", Object{{"colour", Value{1}}}));
    }
}
