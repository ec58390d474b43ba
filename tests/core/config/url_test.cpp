#include "evaluation.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace cordon::testing {
namespace {

std::string href(const std::string& text, const std::string& base = "file:///srv/app/x") {
    return *value_of("new URL('" + text + "', '" + base + "').href").as_string();
}

TEST_SUITE("evaluate: new URL") {
    TEST_CASE("a relative text is resolved against its base") {
        const std::pair<const char*, const char*> table[] = {
            {"skills/", "file:///srv/app/skills/"},
            {"./a/../b", "file:///srv/app/b"},
            {"../../../a", "file:///a"},
            {"/a/./b/..", "file:///a/"},
            {".", "file:///srv/app/"},
            {"..", "file:///srv/"},
            {"", "file:///srv/app/x"},
            {"?q#f", "file:///srv/app/x?q#f"},
            {"#f", "file:///srv/app/x#f"},
            {"a b\\u00e9", "file:///srv/app/a%20b%C3%A9"},
            {"a%2e%2E/b", "file:///srv/app/a%2e%2E/b"},
            {"%2e%2E/b", "file:///srv/b"},
            {"a\\\\b", "file:///srv/app/a/b"},
            {"//host/p", "file://host/p"},
            {"https://e.org", "https://e.org/"}};
        for (const auto& [text, expected] : table) {
            CAPTURE(std::string{text});
            CHECK(href(text) == expected);
        }
    }

    TEST_CASE("hosts, ports and parts are normalised") {
        CHECK(
            href("/x?a=1#b", "HTTPS://User:pw@EXAMPLE.org:443/p?q") ==
            "https://User:pw@example.org/x?a=1#b"
        );
        CHECK(href("http:////a.org//b") == "http://a.org//b");
        check_values({
            {"new URL('http://h:8080/p?q#f').host", "h:8080"},
            {"new URL('http://h:8080/p?q#f').origin", "http://h:8080"},
            {"new URL('http://h:80/p?q#f').port", "''"},
            {"new URL('http://h/p?q#f').search", "'?q'"},
            {"new URL('http://h/p?q#f').hash", "'#f'"},
            {"new URL('http://[::1]:3/').hostname", "'[::1]'"},
            {"new URL('file://localhost/a').href", "file:///a"},
            {"new URL('mailto:a@b').pathname", "a@b"},
            {"new URL('file:///C:/../a').pathname", "/C:/a"},
            {"new URL('/x', 'file:///C:/a/b').pathname", "/C:/x"},
            {"`${new URL('x', baseUrl)}` + new URL('y', new URL(baseUrl))",
             "file:///srv/app/xfile:///srv/app/y"},
            {"[new URL('x', baseUrl)]", "[file:///srv/app/x]"},
        });
    }

    TEST_CASE("what is no URL is an error without its text") {
        for (const char* source :
             {"new URL('x')",
              "new URL('http://')",
              "new URL('http://a b/')",
              "new URL('http://h:99999')",
              "new URL('x', 'mailto:a')",
              "new URL(process.env.TOKEN)"}) {
            CAPTURE(std::string{source});
            const std::string problem = evaluation_problem(source);
            CHECK(problem.find("Invalid URL") != std::string::npos);
            CHECK(problem.find("key-123") == std::string::npos);
        }
    }
}

}  // namespace
}  // namespace cordon::testing
