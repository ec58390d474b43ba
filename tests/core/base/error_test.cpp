#include <cordon/base/diagnostic.hpp>
#include <cordon/base/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

using cordon::Error;

TEST_SUITE("Error") {
    TEST_CASE("as_error keeps an Error with its type and copies the text of anything else") {
        const auto own = std::make_exception_ptr(Error{"mine", "CODE"});
        CHECK(cordon::as_error(own) == own);

        const auto foreign =
            cordon::as_error(std::make_exception_ptr(std::runtime_error{"theirs"}));
        CHECK_THROWS_WITH_AS(std::rethrow_exception(foreign), "theirs", Error);
    }

    TEST_CASE("a thrown value that is no exception is never lost (FIB-17)") {
        struct Odd {};

        CHECK(cordon::message_of(std::make_exception_ptr(42)) == "42");
        CHECK(cordon::message_of(std::make_exception_ptr("text")) == "text");
        const auto message = cordon::message_of(std::make_exception_ptr(Odd{}));
        CHECK(message.find("exception of type '") == 0);
    }

    TEST_CASE("deepest is the root cause") {
        const Error root{"root"};
        const Error middle{"middle", "", std::make_shared<const Error>(root)};
        const Error top{"top", "", std::make_shared<const Error>(middle)};
        CHECK(top.deepest().message() == "root");
        CHECK(root.deepest().message() == "root");
    }

    TEST_CASE("a system error names call, subject and errno") {
        const Error error = cordon::system_error("open", "/etc/x", EACCES);
        CHECK(error.message() == "open '/etc/x': Permission denied (EACCES)");
        CHECK(error.code() == "SYSTEM_ERROR");
    }

    TEST_CASE("a diagnostic reads: place, severity, subject, problem, hint") {
        cordon::Diagnostic diagnostic;
        diagnostic.place = {"a.yml", 4, 14};
        diagnostic.subject = "row 'bash': config.mode";
        diagnostic.problem = "expected a mode, found 'ro'";
        diagnostic.hint = "Write 'read-only'";
        const std::string told =
            "row 'bash': config.mode: expected a mode, found 'ro'. Write 'read-only'.";
        CHECK(cordon::to_string(diagnostic) == "a.yml:4:14: error: " + told);
        CHECK(cordon::describe(diagnostic) == "a.yml:4:14: " + told);
    }
}
