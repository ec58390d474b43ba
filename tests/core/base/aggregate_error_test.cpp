#include <cordon/base/aggregate_error.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <stdexcept>

using namespace cordon;

TEST_SUITE("AggregateError") {
    TEST_CASE("names every failure and keeps them with their codes") {
        const AggregateError error{
            "the undos of 'p'",
            {std::make_exception_ptr(Error{"first", "ONE"}),
             std::make_exception_ptr(std::runtime_error{"second"})}};

        CHECK(error.message() == "2 failures in the undos of 'p': first; second");
        CHECK(error.code() == "AGGREGATE");
        REQUIRE(error.errors().size() == 2);
        CHECK(error.errors()[0]->code() == "ONE");
        CHECK(error.errors()[1]->message() == "second");
    }

    TEST_CASE("a single one is not called several") {
        const AggregateError error{"a", {std::make_exception_ptr(Error{"b"})}};

        CHECK(error.message() == "1 failure in a: b");
    }
}
