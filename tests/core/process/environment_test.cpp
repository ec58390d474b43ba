#include <cordon/process/environment.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

using cordon::child_environment;
using cordon::Environment;

TEST_SUITE("child_environment") {
    TEST_CASE("drops what looks like a credential, whatever its case, and keeps the rest (SU-20)") {
        const Environment host{
            {"PATH", "/bin"},
            {"HOME", "/home/me"},
            {"API_KEY", "1"},
            {"myPassword", "2"},
            {"CLIENT_SECRET_FILE", "3"},
            {"github_token", "4"},
        };
        const Environment expected{{"PATH", "/bin"}, {"HOME", "/home/me"}};
        CHECK(child_environment(host, {}) == expected);
    }

    TEST_CASE("drops names with the prefix of the product, whatever their case") {
        const Environment host{{"CORDON_HOME", "1"}, {"cordon_x", "2"}, {"CORDONBLEU", "3"}};
        const Environment expected{{"CORDONBLEU", "3"}};
        CHECK(child_environment(host, {}) == expected);
    }

    TEST_CASE("drops what makes a shell run code of the host (decision 10, W-S4)") {
        const Environment host{{"BASH_ENV", "/x"}, {"ENV", "/x"}, {"BASH_FUNC_ls%%", "() { :; }"}};
        CHECK(child_environment(host, {}).empty());
    }

    TEST_CASE("what a call sets wins, unfiltered (SU-21)") {
        const Environment host{{"API_KEY", "host"}, {"A", "host"}};
        const Environment expected{{"A", "call"}, {"API_KEY", "call"}, {"CORDON_X", "call"}};
        CHECK(
            child_environment(host, {{"API_KEY", "call"}, {"A", "call"}, {"CORDON_X", "call"}}) ==
            expected
        );
    }

    TEST_CASE("a change without a value removes the variable (SU-22)") {
        const Environment expected{{"B", "2"}};
        CHECK(child_environment({{"A", "1"}, {"B", "2"}}, {{"A", std::nullopt}}) == expected);
    }
}

TEST_SUITE("host_environment") {
    TEST_CASE("keeps everything behind the first equals sign") {
        ::setenv("CORDON_TEST_VARIABLE", "a=b", 1);
        CHECK(cordon::host_environment().at("CORDON_TEST_VARIABLE") == "a=b");
        ::unsetenv("CORDON_TEST_VARIABLE");
    }
}
