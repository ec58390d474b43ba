#include "../plugin_host.hpp"

#include <cordon/context/timer.hpp>

#include <doctest/doctest.h>

#include <chrono>

using namespace cordon;
using namespace cordon::testing;

TEST_SUITE("timer") {
    TEST_CASE("provides timers over the steady clock") {
        PluginHost host;
        host.apply("timer");
        const auto timer = host.context().get<Timer>();
        REQUIRE(timer);

        host.run(timer->timeout(host.context(), std::chrono::milliseconds{0}));
    }

    TEST_CASE("has no settings") {
        PluginHost host;
        CHECK_THROWS(host.apply("timer", Object{{"speed", Value{2}}}));
    }
}
