#include "support.hpp"

#include <cordon/config/json.hpp>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include <limits>

namespace cordon::testing {
namespace {

TEST_SUITE("to_json") {
    TEST_CASE("an expression is a mapping with the key __jsExpr") {
        const Value value = parsed("a: !!js process.env.X ?? 'y'\n");
        CHECK(
            boost::json::serialize(to_json(value)) == R"({"a":{"__jsExpr":"process.env.X ?? 'y'"}})"
        );
    }

    TEST_CASE("whole numbers are integers, and what JSON does not know is null") {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Value value{Value::Array{3080, 0.5, -0.0, 9007199254740992.0, nan}};
        CHECK(boost::json::serialize(to_json(value)) == "[3080,5E-1,0,9007199254740992,null]");
    }

    TEST_CASE("the order of keys is kept") {
        CHECK(boost::json::serialize(to_json(parsed("z: 1\na: 2\n"))) == R"({"z":1,"a":2})");
    }
}

TEST_SUITE("from_json") {
    TEST_CASE("it reads back what to_json wrote") {
        const Value value = parsed("a: [1, null, true, 'x', {b: !!js c}]\nd: {}\ne: []\n");
        CHECK(from_json(to_json(value)) == value);
    }

    TEST_CASE("a mapping with __jsExpr and another key stays a mapping") {
        const Value value = from_json(boost::json::parse(R"({"__jsExpr":"x","a":1})"));
        CHECK(value.kind() == Value::Kind::object);
    }
}

}  // namespace
}  // namespace cordon::testing
