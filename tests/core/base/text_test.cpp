#include <cordon/base/text.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace std::string_literals;

TEST_SUITE("text") {
    TEST_CASE("nearest_name finds a mistyped key and nothing for an unrelated one") {
        const std::vector<std::string> keys{"workspaceRoot", "mode"};
        CHECK(cordon::nearest_name("workspaceroot", keys) == "workspaceRoot");
        CHECK(cordon::nearest_name("mod", keys) == "mode");
        CHECK_FALSE(cordon::nearest_name("network", keys).has_value());
    }

    TEST_CASE("shell_quote keeps plain words and quotes the rest as one word") {
        CHECK(cordon::shell_quote("a/b-c.d") == "a/b-c.d");
        CHECK(cordon::shell_quote("a b") == "'a b'");
        CHECK(cordon::shell_quote("it's") == "'it'\\''s'");
        CHECK(cordon::shell_quote("") == "''");
        CHECK(cordon::shell_quote("~") == "'~'");
    }

    TEST_CASE("invalid_utf8_offset names the first byte that is wrong") {
        CHECK_FALSE(cordon::invalid_utf8_offset("plain, 日本, \xF0\x9F\x98\x80").has_value());
        CHECK(cordon::invalid_utf8_offset("ab\xFF") == 2);
        CHECK(cordon::invalid_utf8_offset("a\xC0\x80") == 1);     // overlong
        CHECK(cordon::invalid_utf8_offset("\xED\xA0\x80") == 0);  // surrogate
        CHECK(cordon::invalid_utf8_offset("x\xE6\x97") == 1);     // cut off
    }

    TEST_CASE("split_lines takes LF and CRLF as ends, and a lone CR as text") {
        using Lines = std::vector<std::string_view>;
        CHECK(cordon::split_lines("a\r\nb\rc\n\nd") == Lines{"a", "b\rc", "", "d"});
        CHECK(cordon::split_lines("a\n") == Lines{"a"});
        CHECK(cordon::split_lines("").empty());
    }

    TEST_CASE("trim and to_lower touch ASCII only") {
        CHECK(cordon::trim(" \t a b \r\n") == "a b");
        CHECK(cordon::to_lower("Read-Only ÄB") == "read-only Äb");
    }
}
