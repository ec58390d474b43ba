#include <cordon/sandbox/loader_variables.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include <stdlib.h>

using cordon::ConfinedArgv;
using cordon::EnvironmentChanges;
using cordon::runner_environment;

namespace {

ConfinedArgv with_prefix(std::string prefix) {
    ConfinedArgv confined;
    confined.loader_variable_prefix = std::move(prefix);
    return confined;
}

}  // namespace

TEST_SUITE("runner_environment") {
    TEST_CASE("loader variables of the call are renamed, all others stay (field-16)") {
        const EnvironmentChanges expected{
            {"FOO", "1"},
            {"GONE", std::nullopt},
            {"LD_PRELOAD", std::nullopt},
            {"P_LD_PRELOAD", "/x.so"}};
        CHECK(
            runner_environment(
                with_prefix("P_"), {{"FOO", "1"}, {"GONE", std::nullopt}, {"LD_PRELOAD", "/x.so"}}
            ) == expected
        );
    }

    TEST_CASE("loader variables of this process do not reach the runner either") {
        ::setenv("LD_CORDON_TEST", "host", 1);
        const auto changes = runner_environment(with_prefix("P_"), {});
        const auto removed = runner_environment(
            with_prefix("P_"), EnvironmentChanges{{"LD_CORDON_TEST", std::nullopt}}
        );
        ::unsetenv("LD_CORDON_TEST");

        REQUIRE(changes.count("LD_CORDON_TEST") == 1);
        CHECK(changes.at("LD_CORDON_TEST") == std::nullopt);
        CHECK(changes.at("P_LD_CORDON_TEST") == "host");
        CHECK(removed.count("P_LD_CORDON_TEST") == 0);
    }

    TEST_CASE("a runner without a way for them gets none at all") {
        const EnvironmentChanges expected{{"GLIBC_TUNABLES", std::nullopt}};
        CHECK(runner_environment(ConfinedArgv{}, {{"GLIBC_TUNABLES", "x"}}) == expected);
    }

    TEST_CASE("knows what glibc obeys, and nothing else") {
        for (const char* name :
             {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GLIBC_TUNABLES", "GCONV_PATH"}) {
            const auto changes = runner_environment(with_prefix("P_"), {{name, "x"}});
            CHECK(changes.at(name) == std::nullopt);
        }
        for (const char* name : {"PATH", "LDFLAGS", "XLD_PRELOAD"}) {
            const auto changes = runner_environment(with_prefix("P_"), {{name, "x"}});
            CHECK(changes.at(name) == "x");
        }
    }
}
