#include <cordon/base/diagnostic.hpp>

#include <doctest/doctest.h>

#include <bash-sandbox/config.hpp>

namespace {

using cordon::bash_sandbox::Config;
using cordon::bash_sandbox::wrong_settings;
using Texts = std::vector<std::string>;

}  // namespace

TEST_SUITE("bash-sandbox config") {
    TEST_CASE("has the defaults of the contract and takes its keys") {
        const cordon::Value empty;
        const Config defaults = cordon::bash_sandbox::decode_config(empty);
        CHECK(defaults.timeout_ms == 120'000);
        CHECK(defaults.max_timeout_ms == 600'000);
        CHECK(defaults.max_output_bytes == 64'000);
        CHECK(defaults.max_spill_bytes == 64 * 1024 * 1024);
        CHECK(defaults.grace_ms == 3'000);
        CHECK_FALSE(defaults.cwd.has_value());

        const cordon::Value set = cordon::Object{
            {"cwd", "/srv"},
            {"timeoutMs", 1},
            {"maxTimeoutMs", 2},
            {"maxOutputBytes", 3},
            {"maxSpillBytes", 4},
            {"graceMs", 5}};
        const Config config = cordon::bash_sandbox::decode_config(set);
        CHECK(config.cwd == "/srv");
        CHECK(config.timeout_ms == 1);
        CHECK(config.max_timeout_ms == 2);
        CHECK(config.max_output_bytes == 3);
        CHECK(config.max_spill_bytes == 4);
        CHECK(config.grace_ms == 5);
    }

    TEST_CASE("numbers that are not positive are refused in order, with their names (BL-1)") {
        Config config;
        config.timeout_ms = 0;
        config.max_timeout_ms = -1;
        config.max_output_bytes = 0;
        config.max_spill_bytes = -0.5;
        config.grace_ms = 0;
        CHECK(
            wrong_settings(config) ==
            Texts{
                "bash-local: timeoutMs must be a positive finite number",
                "bash-local: maxTimeoutMs must be a positive finite number",
                "bash-local: maxOutputBytes must be a positive finite number",
                "bash-local: maxSpillBytes must be a positive finite number",
                "bash-local: graceMs must be a positive finite number"}
        );
    }

    TEST_CASE("times that no timer can carry are refused at load (BL-1, W-S12)") {
        Config config;
        config.timeout_ms = 3e9;
        config.grace_ms = 2147483648.0;
        CHECK(
            wrong_settings(config) ==
            Texts{
                "bash-local: timeoutMs must be no greater than 2147483647",
                "bash-local: graceMs must be no greater than 2147483647"}
        );
    }

    TEST_CASE("the schema finds what decoding would refuse, a mistyped key too") {
        const auto schema = cordon::bash_sandbox::config_schema();
        CHECK(schema.check(cordon::Value{}).empty());
        CHECK(schema.check(cordon::Object{{"timeoutMs", 0}}).size() == 1);
        CHECK(schema.check(cordon::Object{{"timeoutMS", 5}}).size() == 1);
    }
}
