#include <cordon/process/spawn_check.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace std::chrono_literals;

namespace {

cordon::SpawnSpec valid_spec() {
    cordon::SpawnSpec spec;
    spec.argv = {"true"};
    spec.cwd = "/";
    return spec;
}

std::string refusal(const cordon::SpawnSpec& spec) {
    try {
        cordon::check_spawn(spec);
    } catch (const cordon::Error& error) {
        CHECK(error.code() == "INVALID_SPAWN");
        return error.message();
    }
    return "accepted";
}

}  // namespace

TEST_SUITE("check_spawn") {
    TEST_CASE("accepts a spec that can work") {
        CHECK(refusal(valid_spec()) == "accepted");
    }

    TEST_CASE("refuses a grace period that is not positive or that no timer can carry (SU-3)") {
        const std::string text =
            "subprocess graceMs must be a positive finite number no greater than 2147483647";
        cordon::SpawnSpec spec = valid_spec();
        spec.grace = 0ms;
        CHECK(refusal(spec) == text);
        spec.grace = -1ms;
        CHECK(refusal(spec) == text);
        spec.grace = 2147483648ms;
        CHECK(refusal(spec) == text);
        spec.grace = 2147483647ms;
        CHECK(refusal(spec) == "accepted");
    }

    TEST_CASE("refuses an empty argv and an empty program name (SU-5)") {
        const std::string text = "invalid argv: expected a non-empty program name at argv[0]";
        cordon::SpawnSpec spec = valid_spec();
        spec.argv = {};
        CHECK(refusal(spec) == text);
        spec.argv = {""};
        CHECK(refusal(spec) == text);
    }

    TEST_CASE("a bad grace period is reported before a bad argv (SU-2)") {
        cordon::SpawnSpec spec = valid_spec();
        spec.argv = {};
        spec.grace = 0ms;
        CHECK(refusal(spec).starts_with("subprocess graceMs"));
    }

    TEST_CASE("refuses NUL bytes wherever they are, without showing a value (field-93, SU-6)") {
        using namespace std::string_literals;
        cordon::SpawnSpec spec = valid_spec();
        spec.argv = {"bash", "-c", "echo a\0b"s};
        CHECK(
            refusal(spec) == "invalid argv[2]: expected text without NUL bytes, found one at byte 6"
        );
        spec = valid_spec();
        spec.cwd = "/tmp\0/x"s;
        CHECK(refusal(spec) == "invalid cwd: expected text without NUL bytes, found one at byte 4");
        spec = valid_spec();
        spec.env = {{"NAME", "hidden\0"s}};
        CHECK(
            refusal(spec) ==
            "invalid env value of NAME: expected text without NUL bytes, found one at byte 6"
        );
        spec.env = {{"NA\0ME"s, "x"}};
        CHECK(
            refusal(spec) ==
            "invalid name in env: expected text without NUL bytes, found one at byte 2"
        );
    }

    TEST_CASE("refuses names that no environment can hold") {
        cordon::SpawnSpec spec = valid_spec();
        spec.env = {{"A=B", "x"}};
        CHECK(refusal(spec) == "invalid env: expected a variable name without '=', found \"A=B\"");
        spec.env = {{"", "x"}};
        CHECK(refusal(spec) == "invalid env: expected a variable name without '=', found \"\"");
    }

    TEST_CASE("refuses an empty working directory") {
        cordon::SpawnSpec spec = valid_spec();
        spec.cwd = "";
        CHECK(refusal(spec).starts_with("invalid cwd: "));
    }

    TEST_CASE("standard descriptors are set by their modes, not by the map") {
        cordon::SpawnSpec spec = valid_spec();
        spec.descriptors = {{2, 5}};
        CHECK(refusal(spec).starts_with("invalid descriptors: "));
    }
}
