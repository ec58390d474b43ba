#include <cordon/base/text.hpp>
#include <cordon/process/output_tail.hpp>

#include <doctest/doctest.h>

#include <string>

using cordon::OutputTail;

namespace {

std::string repeated(std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

}  // namespace

TEST_SUITE("OutputTail") {
    TEST_CASE("exactly at the cap nothing is truncated (SU-30)") {
        OutputTail tail{5};
        tail.append("12345");
        CHECK(tail.collected().text == "12345");
        CHECK_FALSE(tail.collected().truncated);
    }

    TEST_CASE("keeps the last bytes exactly, across uneven chunks (SU-30)") {
        OutputTail tail{10};
        std::string everything;
        for (int i = 0; i < 100; ++i) {
            const std::string chunk(
                static_cast<std::size_t>(i % 7), static_cast<char>('a' + i % 26)
            );
            tail.append(chunk);
            everything += chunk;
        }
        CHECK(tail.collected().text == everything.substr(everything.size() - 10));
        CHECK(tail.collected().bytes == everything.size());
        CHECK(tail.collected().truncated);
    }

    TEST_CASE("keeps the tail of a single oversized chunk") {
        OutputTail tail{3};
        tail.append(std::string(1000, 'x') + "end");
        CHECK(tail.collected().text == "end");
    }

    TEST_CASE("a cap of nothing keeps nothing but the count") {
        OutputTail tail{0};
        tail.append("abc");
        CHECK(tail.collected().text.empty());
        CHECK(tail.collected().bytes == 3);
        CHECK(tail.collected().truncated);
    }

    TEST_CASE("a character that the cut goes through is left out, not halved (field-91, SU-40)") {
        OutputTail tail{8};
        tail.append(repeated("\xE4\xBD\xA0", 30'000));
        CHECK(tail.collected().text == repeated("\xE4\xBD\xA0", 2));
    }

    TEST_CASE("characters split between chunks come out whole (field-91)") {
        OutputTail tail{100};
        tail.append("\xE4");
        tail.append("\xBD");
        tail.append("\xA0");
        CHECK(tail.collected().text == "\xE4\xBD\xA0");
    }

    TEST_CASE("a stray byte at the cut is no half character and stays, replaced") {
        OutputTail tail{2};
        tail.append(
            "a\xBD"
            "b"
        );
        CHECK(
            tail.collected().text ==
            "\xEF\xBF\xBD"
            "b"
        );
    }

    TEST_CASE("bytes that are not UTF-8 are replaced and a NUL stays (field-92)") {
        OutputTail tail{100};
        tail.append(std::string_view{
            "a\0b\xFF\xFE"
            "c",
            6});
        const std::string expected{
            "a\0b\xEF\xBF\xBD\xEF\xBF\xBD"
            "c",
            10};
        CHECK(tail.collected().text == expected);
        CHECK_FALSE(cordon::invalid_utf8_offset(tail.collected().text).has_value());
    }
}
