#include <cordon/process/signal.hpp>

#include <doctest/doctest.h>

#include <csignal>

TEST_SUITE("signal_name") {
    TEST_CASE("names signals as people write them") {
        CHECK(cordon::signal_name(SIGKILL) == "SIGKILL");
        CHECK(cordon::signal_name(SIGTERM) == "SIGTERM");
        CHECK(cordon::signal_name(40) == "SIG40");
    }

    TEST_CASE("signal_number reads every name back, and no other text") {
        CHECK(cordon::signal_number("SIGSEGV") == SIGSEGV);
        CHECK(cordon::signal_number("SIG40") == 40);
        CHECK_FALSE(cordon::signal_number("KILL").has_value());
        CHECK_FALSE(cordon::signal_number("SIGNONE").has_value());
    }
}
